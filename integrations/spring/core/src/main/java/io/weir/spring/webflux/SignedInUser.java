package io.weir.spring.webflux;

import io.weir.adapter.RequestValues;
import java.security.Principal;
import java.util.Optional;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.util.ClassUtils;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Reads the name of the user of an exchange. */
final class SignedInUser {
  private static final boolean HAS_SECURITY =
      ClassUtils.isPresent(
          "org.springframework.security.authentication.AnonymousAuthenticationToken",
          SignedInUser.class.getClassLoader());

  private SignedInUser() {}

  /**
   * Reads the name of the principal. One that can't be read counts as missing, as Spring Security's
   * user for everybody does.
   */
  static Mono<Optional<String>> of(ServerWebExchange exchange) {
    return exchange
        .getPrincipal()
        .map(SignedInUser::name)
        .onErrorResume(unreadable -> Mono.just(Optional.empty()))
        .defaultIfEmpty(Optional.empty());
  }

  private static Optional<String> name(Principal principal) {
    return HAS_SECURITY && Security.isNobody(principal)
        ? Optional.empty()
        : RequestValues.read(principal::getName);
  }

  /** Loaded only where Spring Security is present. */
  private static final class Security {
    private Security() {}

    static boolean isNobody(Principal principal) {
      return principal instanceof AnonymousAuthenticationToken
          || principal instanceof Authentication signIn && !signIn.isAuthenticated();
    }
  }
}
