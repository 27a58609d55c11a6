package io.weir.spring.webflux;

import io.weir.spring.UserName;
import java.util.Optional;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Reads the name of the user of an exchange. */
final class SignedInUser {
  private SignedInUser() {}

  /**
   * Reads the name of the principal. One that can't be read counts as missing, as Spring Security's
   * user for everybody does.
   */
  static Mono<Optional<String>> of(ServerWebExchange exchange) {
    return exchange
        .getPrincipal()
        .map(UserName::of)
        .onErrorResume(unreadable -> Mono.just(Optional.empty()))
        .defaultIfEmpty(Optional.empty());
  }
}
