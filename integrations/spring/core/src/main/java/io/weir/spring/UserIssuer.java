package io.weir.spring;

import java.security.Principal;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.security.core.Authentication;

/**
 * Reads the issuer of a user's name from a sign-in of Spring Security: of a token or an OpenID user
 * the {@code iss}, of another OAuth2 login the client registration.
 *
 * <p>Loaded only where Spring Security is present. Its parts for OAuth2 may be absent.
 */
final class UserIssuer {
  private static final String OAUTH2 = "org.springframework.security.oauth2.";
  private static final String ISSUER = "iss";

  private static final Getter CLAIMS = new Getter(OAUTH2 + "core.ClaimAccessor", "getClaims");
  private static final Getter ATTRIBUTES =
      new Getter(OAUTH2 + "core.OAuth2AuthenticatedPrincipal", "getAttributes");
  private static final Getter REGISTRATION =
      new Getter(
          OAUTH2 + "client.authentication.OAuth2AuthenticationToken",
          "getAuthorizedClientRegistrationId");

  private UserIssuer() {}

  static void registerHints(RuntimeHints hints) {
    Stream.of(CLAIMS, ATTRIBUTES, REGISTRATION).forEach(each -> each.registerHints(hints));
  }

  static Optional<String> of(Principal principal) {
    if (!(principal instanceof Authentication signIn)) {
      return Optional.empty();
    }
    @Nullable Object user = signIn.getPrincipal();
    return in(CLAIMS, user)
        .or(() -> in(CLAIMS, signIn.getCredentials()))
        .or(() -> REGISTRATION.of(signIn))
        .or(() -> in(ATTRIBUTES, user))
        .map(Object::toString);
  }

  private static Optional<Object> in(Getter values, @Nullable Object holder) {
    return values
        .of(holder)
        .flatMap(
            each ->
                each instanceof Map<?, ?> map
                    ? Optional.ofNullable(map.get(ISSUER))
                    : Optional.empty());
  }
}
