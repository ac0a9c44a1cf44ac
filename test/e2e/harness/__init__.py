"""Drives a real hyperscale process from outside: starts it, talks to it over sockets, looks at it through /proc."""
