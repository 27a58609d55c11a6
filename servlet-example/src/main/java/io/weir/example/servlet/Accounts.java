package io.weir.example.servlet;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Knows alice/alice, bob/bob and admin/admin, who may administer. Everybody knows these passwords,
 * so the example listens on loopback only ({@link Host}), and they count only at a name of
 * loopback: a page of another site may have a name that leads here, and send them as well.
 */
final class Accounts {
  private static final Set<String> ALL = Set.of("alice:alice", "bob:bob", "admin:admin");
  private static final Pattern LOOPBACK = Pattern.compile("localhost|127[.0-9]+|\\[[0:]*:1]");

  private Accounts() {}

  /**
   * Returns the user whose name and password a request carries by Basic authentication.
   *
   * @param authorization the field {@code Authorization}
   * @param host the host that the request names, without a port
   */
  static Optional<String> user(@Nullable String authorization, @Nullable String host) {
    boolean isHere = host != null && LOOPBACK.matcher(host).matches();
    return credentials(authorization)
        .filter(each -> isHere && ALL.contains(each))
        .map(each -> each.substring(0, each.indexOf(':')));
  }

  static boolean hasRole(String user, String role) {
    return user.equals("admin") && role.equals("weir-admin");
  }

  private static Optional<String> credentials(@Nullable String header) {
    if (header == null || !header.regionMatches(true, 0, "Basic ", 0, 6)) {
      return Optional.empty();
    }
    try {
      byte[] decoded = Base64.getDecoder().decode(header.substring(6).trim());
      return Optional.of(new String(decoded, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException malformed) {
      return Optional.empty();
    }
  }
}
