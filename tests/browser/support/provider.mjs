// An OpenID provider for the tests, on the library oidc-provider, which the OpenID Foundation has certified. Any login
// with any password signs in; a login that begins with "unverified" has a mail address that is not verified.
// Arguments: the port, the address of the site that signs in with it.
import Provider from "../../../frontend/node_modules/oidc-provider/lib/index.js";

const [port, site] = process.argv.slice(2);

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    {
      client_id: "benchdb",
      client_secret: "a-secret-of-the-tests",
      redirect_uris: [`${site}/login/provider/callback/`],
      post_logout_redirect_uris: [`${site}/login/`],
    },
  ],
  claims: { openid: ["sub"], profile: ["preferred_username"], email: ["email", "email_verified"] },
  pkce: { required: () => true },
  cookies: { keys: ["of-the-tests"] },
  findAccount: (_context, id) => ({
    accountId: id,
    claims: () => ({
      sub: id,
      preferred_username: id,
      email: `${id}@example.org`,
      email_verified: !id.startsWith("unverified"),
    }),
  }),
});

provider.listen(Number(port), "127.0.0.1", () => console.log("listening"));
