package io.weir.internal.control.access;

import jakarta.ws.rs.core.SecurityContext;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/** Who is signed in, as the application tells it. */
public final class Callers {
  private Callers() {}

  /**
   * The name of who is signed in: the user of {@code /dashboard}, the author of a change.
   *
   * @param context the request's
   * @return empty if nobody is, or it has no name
   */
  public static String name(@Nullable SecurityContext context) {
    Principal principal = context == null ? null : context.getUserPrincipal();
    String name = principal == null ? null : principal.getName();
    return name == null || name.isBlank() ? "" : name;
  }
}
