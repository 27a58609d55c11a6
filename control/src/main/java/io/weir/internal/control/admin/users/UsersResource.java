package io.weir.internal.control.admin.users;

import io.weir.annotation.Unlimited;
import io.weir.rules.Rules;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** Administers the user that the path names. Safe for concurrent use. */
@Path("/v1/admin/ratelimit/users/{userId}")
@Produces(MediaType.APPLICATION_JSON)
@Unlimited
public final class UsersResource extends AbstractUserResource {
  public UsersResource(Rules rules) {
    super(rules);
  }
}
