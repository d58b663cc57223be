"""Tests of the workloads that profiles and scripts describe: ffsb profiles and filebench's WML. For pytest."""
