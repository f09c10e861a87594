"""Variant tuned: the fastest we could make PyTorch on a CPU. The ideas of scrl where torch can express them:
column blocks, fused layers with hand-written gradients, evaluation shared with the next step, cheap random bits.
Every choice has its reason beside it; they were measured on the six data sets of the paper."""
import ctypes

import torch
import torch.nn.functional as F

import losses
from products import Operand, first_layer_operands


def keep_memory():
    """glibc hands large blocks back to the system at every free; taking them anew costs a page fault per
    4 KB, up to two thirds of the time of an element-wise operation."""
    M_TRIM_THRESHOLD, M_MMAP_MAX = -1, -4
    try:
        libc = ctypes.CDLL(None)
        libc.mallopt(M_MMAP_MAX, 0)
        libc.mallopt(M_TRIM_THRESHOLD, 2 ** 31 - 1)
    except (AttributeError, OSError):
        pass  # another C library


def drop_(H, rate):
    """Zeroes entries in place, without the factor. Random bytes compared with a threshold: torch's own dropout
    draws a number per element and takes ten times as long. Exact for multiples of 1/256, so for 0.5."""
    if rate > 0:
        bits = torch.empty((H.numel() + 7) // 8, dtype=torch.int64).random_(-2 ** 63, None)
        H.mul_(bits.view(torch.uint8)[:H.numel()].view(H.shape) >= round(256 * rate))
    return H


class FirstLayer(torch.autograd.Function):
    """H W2 for H = drop(relu(A X W1 + b1)), in blocks of columns of H; W2 holds the factor of dropout. `H`
    comes as relu(A X W1 + b1), computed before, and is dropped in place: its positive entries are all that
    the gradient needs, so that no mask is kept."""

    @staticmethod
    def forward(ctx, W1, b1, W2, H, rate, X, A):
        out = torch.mm(drop_(H[0], rate), W2[0])
        for block in range(1, len(H)):
            out.addmm_(drop_(H[block], rate), W2[block])
        ctx.X, ctx.A = X, A
        ctx.save_for_backward(H, W2, W1)
        return out

    @staticmethod
    def backward(ctx, grad):
        H, W2, W1 = ctx.saved_tensors
        gW1, gW2, gb1 = torch.empty_like(W1), torch.empty_like(W2), torch.empty(len(H), 1, H.shape[2])
        for block in range(len(H)):  # all steps of a block at once, while it is in the cache
            torch.mm(H[block].t(), grad, out=gW2[block])
            gH = torch.ops.aten.threshold_backward(torch.mm(grad, W2[block].t()), H[block], 0)
            torch.sum(gH, 0, keepdim=True, out=gb1[block])
            ctx.X.backward(ctx.A.backward(gH), gW1[block])
        return gW1, gb1, gW2, None, None, None, None


class SecondLayer(torch.autograd.Function):
    """drop(relu(A (H W) + b))"""

    @staticmethod
    def forward(ctx, HW, b, rate, A):
        Z = A.forward(HW).add_(b).relu_()
        ctx.A, ctx.scale = A, 1 / (1 - rate)
        if rate > 0:
            drop_(Z, rate).mul_(ctx.scale)
        ctx.save_for_backward(Z)
        return Z

    @staticmethod
    def backward(ctx, grad):
        (Z,) = ctx.saved_tensors
        grad = torch.ops.aten.threshold_backward(grad, Z, 0)
        if ctx.scale != 1:
            grad.mul_(ctx.scale)
        return ctx.A.backward(grad), grad.sum(0), None, None


class Tuned:
    def __init__(self, g, o, params, share=True, block=0, compile=False):
        if o.input_dropout > 0:
            raise SystemExit("variant tuned: input_dropout is not supported")
        torch.set_flush_denormal(True)  # weights under decay pass through denormal numbers
        self.g, self.o, self.share = g, o, share
        first, width = first_layer_operands(g, o.hidden1, block)
        self.X, self.A1 = first["X"], {"t": first["A_t"], "f": first["A_f"]}
        self.A2 = {"t": Operand(g.A_t, o.hidden2), "f": Operand(g.A_f, o.hidden2)}
        self.params = self.in_blocks(params, o.hidden1 // width)
        # Fused: one pass over the weights. The other implementations take about five times as long.
        self.adam = torch.optim.Adam(self.params.values(), lr=o.lr, weight_decay=o.weight_decay, fused=True)
        # Only what follows the encoders has something to fuse. Compiled, it takes two thirds of its time, about
        # 3 % of an epoch, lost in the noise of whole epochs; and the start takes a minute. So an option.
        self.loss = torch.compile(losses.loss, dynamic=False) if compile else losses.loss
        self.hidden = {}
        self.choices = {n: a.names() for n, a in first.items()} | {"block": width, "share": share, "compile": compile}

    @staticmethod
    def in_blocks(params, blocks):
        """The first layer's weights as (blocks, rows, columns of a block)."""
        p = dict(params)
        with torch.no_grad():
            for v in "tf":
                for name in ("W1_" + v, "b1_" + v):
                    w = p[name].detach().reshape(-1, blocks, p[name].shape[-1] // blocks)
                    p[name] = w.permute(1, 0, 2).contiguous().requires_grad_()
                W2 = p["W2_" + v].detach()
                p["W2_" + v] = W2.reshape(blocks, -1, W2.shape[1]).clone().requires_grad_()
        return p

    def first(self, v):
        """relu(A X W1 + b1)"""
        W, b = self.params["W1_" + v], self.params["b1_" + v]
        H = torch.empty(len(W), self.g.nodes, W.shape[2])
        with torch.no_grad():
            for block in range(len(W)):
                self.A1[v].forward(self.X.forward(W[block]), H[block]).add_(b[block]).relu_()
        return H

    def encoder(self, v):
        p, rate = self.params, self.o.dropout
        # No weight has changed since the last evaluation, and there is no dropout before this point.
        H = self.hidden.pop(v, None)
        if H is None:
            H = self.first(v)
        W2 = p["W2_" + v]
        HW = FirstLayer.apply(p["W1_" + v], p["b1_" + v], W2 / (1 - rate), H, rate, self.X, self.A1[v])
        return SecondLayer.apply(HW, p["b2_" + v], rate, self.A2[v])

    def step(self, epoch):
        losses.begin_step(self.params, self.o)
        self.adam.zero_grad()  # sets to None: the gradient is stored, not added
        alpha = torch.tensor(losses.ramped_alpha(self.o, epoch))  # a number would be compiled in
        loss = self.loss(self.encoder("t"), self.encoder("f"), self.params, self.g, self.o, alpha)
        loss.backward()
        self.adam.step()
        return loss.item()

    def evaluate(self):
        p, h = self.params, self.o.hidden2
        with torch.no_grad():
            logits = p["b"]
            for v, W in (("t", p["W"][:h]), ("f", p["W"][h:])):  # two products, no copy into [Z_t | Z_f]
                H, W2 = self.first(v), p["W2_" + v]
                HW = torch.mm(H[0], W2[0])
                for block in range(1, len(H)):
                    HW.addmm_(H[block], W2[block])
                Z = self.A2[v].forward(HW).add_(p["b2_" + v]).relu_()
                logits = torch.addmm(logits, Z, W)
                if self.share:
                    self.hidden[v] = H
            return losses.evaluation(F.log_softmax(logits, 1), self.g)
