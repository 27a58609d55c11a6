package io.weir.internal.server.access;

import com.nimbusds.jwt.JWTClaimsSet;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads user and roles from the claims of a verified JWT. */
final class JwtClaims {
  private JwtClaims() {}

  /** Gives the subject the role of a user, and the roles of the claim that Weir knows. */
  static Authentication read(JWTClaimsSet claims, JwtSettings settings) {
    Set<Role> roles = EnumSet.of(Role.USER);
    for (String name : names(claim(claims.getClaims(), settings.rolesClaim()))) {
      Role.of(name).ifPresent(roles::add);
    }
    String subject = claims.getSubject();
    return new Authentication(
        new Identity(roles, Optional.of(subject)),
        subject,
        Optional.of(settings.issuer() + ' ' + subject),
        Optional.of(claims.getExpirationTime().toInstant()));
  }

  private static @Nullable Object claim(Map<String, Object> claims, String name) {
    Object whole = claims.get(name);
    if (whole != null) {
      return whole;
    }
    Object found = claims;
    for (String step : name.split("\\.")) {
      found = found instanceof Map<?, ?> object ? object.get(step) : null;
    }
    return found;
  }

  private static List<String> names(@Nullable Object claim) {
    if (claim instanceof String words) {
      return Arrays.asList(words.split(" "));
    }
    return claim instanceof Collection<?> many
        ? many.stream().filter(String.class::isInstance).map(String.class::cast).toList()
        : List.of();
  }
}
