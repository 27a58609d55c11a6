package io.weir.internal.control.access;

import io.weir.internal.rules.database.AuthorName;
import io.weir.internal.rules.database.ReservedUserNames;
import io.weir.internal.rules.database.StorableText;
import jakarta.ws.rs.core.SecurityContext;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/** Reads the name of the signed-in caller, as the application reports it. */
public final class CallerName {
  private static final int MAX_USER = 500;

  private CallerName() {}

  /** Returns the caller's name; empty if the caller isn't signed in or has no name. */
  public static String of(@Nullable SecurityContext context) {
    Principal principal = context == null ? null : context.getUserPrincipal();
    String name = principal == null ? null : principal.getName();
    return name == null || name.isBlank() ? "" : name;
  }

  /**
   * Returns whether a name can be a user's. Some names are reserved for counting other callers, and
   * the database can't keep every text.
   *
   * @return false if it is blank, longer than 500 characters, {@code *}, begins with {@code ip:} or
   *     {@code sha256:}, or has the character U+0000 or half of a surrogate pair
   */
  public static boolean isUser(String name) {
    return !name.isBlank()
        && name.length() <= MAX_USER
        && !ReservedUserNames.isReserved(name)
        && StorableText.is(name);
  }

  /**
   * Names the author of a change: at most 200 characters; {@code an administrator} if the caller
   * has no name.
   */
  public static String asAuthor(SecurityContext context) {
    String name = of(context);
    return name.isEmpty() ? "an administrator" : AuthorName.of(name);
  }
}
