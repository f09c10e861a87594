"""What follows the two encoders, the same in every variant: classifier, prototypes, Sinkhorn targets, loss.
The equations are in src/models/scrl.h."""
import math

import torch
import torch.nn.functional as F


def sinkhorn_log(z, eps, iterations):
    """Balanced targets in the log domain, as the definition says; the self-check compares with it."""
    t, (n, B) = z / eps, z.shape
    f = torch.zeros(n, 1, dtype=z.dtype)
    for _ in range(iterations):
        g = -math.log(B) - torch.logsumexp(t + f, 0, keepdim=True)
        f = -math.log(n) - torch.logsumexp(t + g, 1, keepdim=True)
    return n * torch.exp(t + f + g)


def sinkhorn(z, eps, iterations):
    """The same with one column step and one softmax in the log domain; what is left then are row and
    column factors near 1, so every further iteration is two matrix-vector products and no exponential."""
    t, (n, B) = z / eps, z.shape
    p = torch.softmax(t - torch.logsumexp(t, 0, keepdim=True), 1)
    if iterations == 1:
        return p
    u, p_t = torch.ones(n), p.t()
    for _ in range(iterations - 1):
        v = (n / B) / torch.mv(p_t, u)
        u = torch.mv(p, v).reciprocal_()
    return p.mul_(v).mul_(u.unsqueeze(1))


def begin_step(params, o):
    if "C" in params and o.proto_norm:
        with torch.no_grad():
            C = params["C"]
            C.div_(C.norm(dim=1, keepdim=True).clamp_min_(1e-12))


def scores(Z, params, o):
    S = (F.normalize(Z, dim=1, eps=1e-12) if o.embed_norm else Z) @ params["C"].t()
    return torch.relu(S) if o.proto_relu else S


def ramped_alpha(o, epoch):
    """Weight of the self-supervised loss in an epoch, counted from 1."""
    return o.alpha * min(1.0, epoch / o.ramp) if o.ramp > 0 else o.alpha


def loss(Z_t, Z_f, params, g, o, alpha):
    # Only labelled rows reach the classifier, as in scrl.
    R = torch.cat([Z_t[g.train], Z_f[g.train]], 1)
    total = F.cross_entropy(torch.addmm(params["b"], R, params["W"]), g.train_labels)
    if "C" not in params:
        return total
    S_t, S_f = scores(Z_t, params, o), scores(Z_f, params, o)
    if o.prototypes == 0:
        for S in (S_t, S_f):
            total = total + 0.5 * F.cross_entropy(S[g.train] / o.tau, g.train_labels)
    if o.ss_nodes == "train":
        S_t, S_f = S_t[g.train], S_f[g.train]
    with torch.no_grad():
        Q_t, Q_f = (sinkhorn(S.detach(), o.epsilon, o.sinkhorn_iters) for S in (S_t, S_f))
    # cross_entropy with soft targets is -mean_i q_i . log softmax(s_i)
    return total + 0.5 * alpha * (F.cross_entropy(S_t / o.tau, Q_f) + F.cross_entropy(S_f / o.tau, Q_t))


def log_probs(Z_t, Z_f, params):
    return F.log_softmax(torch.addmm(params["b"], torch.cat([Z_t, Z_f], 1), params["W"]), 1)


def accuracy(predicted, g, nodes):
    return (predicted[nodes] == g.labels[nodes]).float().mean().item()


def evaluation(logp, g):
    """What scrl computes after every epoch."""
    predicted = logp.argmax(1)
    return {"train": accuracy(predicted, g, g.train), "val": accuracy(predicted, g, g.val),
            "val_loss": F.nll_loss(logp[g.val], g.labels[g.val]).item(), "test": accuracy(predicted, g, g.test)}
