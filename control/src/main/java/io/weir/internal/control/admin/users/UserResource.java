package io.weir.internal.control.admin.users;

import io.weir.annotation.Unlimited;
import io.weir.rules.Rules;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/**
 * Administers the user that the query names. Unlike {@link UsersResource}, it reaches every user:
 * containers reject paths with a slash, a backslash or a percent sign in a name, as SPIFFE
 * identities have.
 *
 * <p>Safe for concurrent use.
 */
@Path("/v1/admin/ratelimit/user")
@Produces(MediaType.APPLICATION_JSON)
@Unlimited
public final class UserResource extends AbstractUserResource {
  public UserResource(Rules rules) {
    super(rules);
  }
}
