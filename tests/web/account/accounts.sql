-- pg_dump --data-only --column-inserts of the accounts that commit d98491c7 made by its own pages and services: ada with
-- a password and an address of an administrator, grace by mail with a token, hedy with a second factor, mary by OpenID.
INSERT INTO public.auth_group (id, name) VALUES (1, 'maintainer');
INSERT INTO public.auth_user (id, password, last_login, is_superuser, username, first_name, last_name, email, is_staff, is_active, date_joined) VALUES (1, 'pbkdf2_sha256$1000000$9gRJHp6tXAamSnv5O6dohD$CU2/v5bBj03xIBt6l6OXzuPyCOOZxO87ndpGSHc9jYs=', NULL, false, 'ada', '', '', 'ada@example.org', false, true, '2026-11-29 15:07:51.661758+00');
INSERT INTO public.auth_user (id, password, last_login, is_superuser, username, first_name, last_name, email, is_staff, is_active, date_joined) VALUES (2, 'pbkdf2_sha256$1000000$u0cISNS3BnR5VzguM7gERk$NG6Pk6BiNQizF7rqweosJFZ7W36Ig6nuZQIXc2EsT4A=', NULL, false, 'grace', '', '', 'grace@example.org', false, true, '2026-11-29 15:07:51.901764+00');
INSERT INTO public.auth_user (id, password, last_login, is_superuser, username, first_name, last_name, email, is_staff, is_active, date_joined) VALUES (3, 'pbkdf2_sha256$1000000$CF2yOEr7bgnRcton4g3fta$pT/W/xeuPQbHxF6VDEJ6laK4C1zyz35LFODgESHa0AM=', '2026-11-29 15:07:54.013214+00', false, 'hedy', '', '', '', true, true, '2026-11-29 15:07:52.141482+00');
INSERT INTO public.auth_user (id, password, last_login, is_superuser, username, first_name, last_name, email, is_staff, is_active, date_joined) VALUES (4, '!LFn9F9DT1oO4PeDUIpwEumtVoptbWvBwYcFhlKRx', '2026-11-29 15:07:54.089537+00', false, 'mary', '', '', 'mary@example.org', false, true, '2026-11-29 15:07:54.085076+00');
INSERT INTO public.auth_user_groups (id, user_id, group_id) VALUES (1, 3, 1);
INSERT INTO public.identity_identity (id, issuer, subject, made_at, used_at, user_id) VALUES (1, 'mail', 'grace@example.org', '2026-11-29 15:07:52.140413+00', '2026-11-29 15:07:52.140164+00', 2);
INSERT INTO public.identity_identity (id, issuer, subject, made_at, used_at, user_id) VALUES (2, 'http://127.0.0.1:33583', '17', '2026-11-29 15:07:54.085997+00', '2026-11-29 15:07:54.085723+00', 4);
INSERT INTO public.ingest_token (id, name, digest, scopes, default_visibility, created_at, expires_at, revoked_at, last_used_at, machine_id, owner_id) VALUES (1, 'agent', '\x2b8867b1b2f4a07647ad070b277ca9436d08670f0700281cd3691e4e570a5faf', '{upload}', 'private', '2026-11-29 15:07:54.094028+00', NULL, NULL, NULL, NULL, 2);
INSERT INTO public.otp_static_staticdevice (id, name, confirmed, user_id, throttling_failure_count, throttling_failure_timestamp, created_at, last_used_at) VALUES (1, 'recovery', true, 3, 0, NULL, '2026-11-29 15:07:53.685793+00', '2026-11-29 15:07:54.009654+00');
INSERT INTO public.otp_static_statictoken (id, token, device_id) VALUES (2, 'qrtb64zn', 1);
INSERT INTO public.otp_static_statictoken (id, token, device_id) VALUES (3, 'cneebkoa', 1);
INSERT INTO public.otp_static_statictoken (id, token, device_id) VALUES (4, '74x6jjpj', 1);
INSERT INTO public.otp_static_statictoken (id, token, device_id) VALUES (5, '7wza2mfy', 1);
INSERT INTO public.otp_static_statictoken (id, token, device_id) VALUES (6, 'ygsniw6j', 1);
INSERT INTO public.otp_static_statictoken (id, token, device_id) VALUES (7, 'rlbrihx6', 1);
INSERT INTO public.otp_static_statictoken (id, token, device_id) VALUES (8, 'z2zpumkq', 1);
INSERT INTO public.otp_static_statictoken (id, token, device_id) VALUES (9, 'otel7dlp', 1);
INSERT INTO public.otp_static_statictoken (id, token, device_id) VALUES (10, 'dhoafnav', 1);
INSERT INTO public.otp_totp_totpdevice (id, name, confirmed, key, step, t0, digits, tolerance, drift, last_t, user_id, throttling_failure_count, throttling_failure_timestamp, created_at, last_used_at) VALUES (1, 'app', true, '2149045b1be3cdf21bc11608527d1d0bc1d17297', 30, 0, 6, 1, 0, -1, 3, 0, NULL, '2026-11-29 15:07:53.657908+00', '2026-11-29 15:07:53.682032+00');
