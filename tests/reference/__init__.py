"""A second, naive implementation of the rules of Byzanz, which the tests hold the real one against."""
