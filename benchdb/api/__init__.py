"""The REST API: authentication, limits and the one error shape.

Imported by `urls` only; its routes call the services of the apps.
"""
