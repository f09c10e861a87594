"""What the methods share that learn from labels alone."""
import torch
import torch.nn.functional as F

from reference import Reference, log_softmax, normalized


class Classifier(Reference):
    """A model whose loss is the negative log-likelihood of the labelled nodes."""

    def __init__(self, o, X, A_t, A_f, labels, train):
        super().__init__()
        self.o, self.X, self.train, self.y = o, X, torch.tensor(train), torch.tensor(labels[train])
        self.A = torch.tensor(normalized(A_t, o.get("adjacency", "rw")))
        self.next_site = 0
        self.build(X, A_t, A_f)

    def site(self, p):
        """Sites are numbered in the order of recording; a dropout that drops nothing has none."""
        self.next_site += p > 0
        return self.next_site - 1

    def dropped(self, x, p):
        return x * self.mask(self.site(p), *x.shape, p)

    def dropped_features(self, p):
        return self.dropped_x(self.X, self.site(p), p)

    def logits(self):
        raise NotImplementedError

    def log_probs(self):
        self.next_site = 0
        return log_softmax(self.logits())

    def loss(self):
        return F.nll_loss(self.log_probs()[self.train], self.y)
