package io.weir.internal.server.access;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jwt.JWTClaimsSet;
import java.util.Base64;
import java.util.Set;

/** Checks the form of JWTs, so that a token has one spelling, and other signed objects none. */
final class JwtSyntax {
  /** RFC 7519 and RFC 9068. */
  private static final Set<JOSEObjectType> TYPES =
      Set.of(
          JOSEObjectType.JWT,
          new JOSEObjectType("at+jwt"),
          new JOSEObjectType("application/at+jwt"));

  /**
   * Only security event tokens (RFC 8417) have it, such as what an ID server sends at a sign-out.
   */
  private static final String EVENTS = "events";

  private JwtSyntax() {}

  /**
   * Returns whether a text is a compact JWS (RFC 7515) whose signature has no other spelling: of
   * its last letter, some bits carry nothing.
   */
  static boolean isCompact(String text) {
    int first = text.indexOf('.');
    int second = text.indexOf('.', first + 1);
    if (first <= 0 || second <= first + 1) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (!isLetter(text.charAt(i)) && i != first && i != second) {
        return false;
      }
    }
    return isCanonical(text.substring(second + 1));
  }

  private static boolean isLetter(char each) {
    return each >= 'A' && each <= 'Z'
        || each >= 'a' && each <= 'z'
        || each >= '0' && each <= '9'
        || each == '-'
        || each == '_';
  }

  private static boolean isCanonical(String signature) {
    if (signature.length() % 4 == 1) {
      return false;
    }
    byte[] bytes = Base64.getUrlDecoder().decode(signature);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes).equals(signature);
  }

  /** Returns whether a header is that of a JWT, and its claims are sent as they are. */
  static boolean isOfJwt(JWSHeader header) {
    JOSEObjectType type = header.getType();
    return (type == null || TYPES.contains(type)) && !header.toJSONObject().containsKey("zip");
  }

  /**
   * Returns whether the claims are of an event that the issuer reports, rather than of a caller.
   */
  static boolean isOfEvent(JWTClaimsSet claims) {
    return claims.getClaims().containsKey(EVENTS);
  }
}
