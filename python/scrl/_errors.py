"""Exceptions: the engine's texts, as the types that Python users expect."""


class Error(Exception):
    """Every failure of the engine."""


class UsageError(Error, ValueError):
    """An unknown setting, or a value out of range."""


class DataError(Error, ValueError):
    """Features, graph or labels that are malformed or do not fit each other."""


class ModelFileError(Error, ValueError):
    """A model that is damaged, of another version, or for other features."""


class ResourceError(Error, MemoryError):
    """Refused: not enough memory or disk."""


class DivergedError(Error, ArithmeticError):
    """The loss is no longer a number."""


class RunError(Error, RuntimeError):
    """Anything else."""
