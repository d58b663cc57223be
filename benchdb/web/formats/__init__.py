"""Django's formats of dates and numbers, for the admin, which has no templates of ours."""
