package io.weir.internal.control.access;

import io.weir.internal.rules.database.ReservedUserNames;
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

  /**
   * Tells whether somebody of that name is a user. Names by which figures of others are kept are
   * nobody's.
   *
   * @param name a principal's name
   * @return false if it is empty, {@code *}, or begins with {@code ip:} or {@code sha256:}
   */
  public static boolean isUser(String name) {
    return !name.isEmpty() && !ReservedUserNames.isReserved(name);
  }
}
