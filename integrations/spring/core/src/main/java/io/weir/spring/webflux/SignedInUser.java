package io.weir.spring.webflux;

import java.util.Optional;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Reads the name of the user of an exchange. */
final class SignedInUser {
  private SignedInUser() {}

  /**
   * Reads the name of the principal. One that can't be read counts as missing, as Spring Security's
   * user for everybody does. Notes who has issued it, if several issuers name users.
   *
   * @param info gets the issuer
   */
  static Mono<Optional<String>> of(ServerWebExchange exchange, ExchangeRequest info) {
    return exchange
        .getPrincipal()
        .map(info::nameOf)
        .onErrorResume(unreadable -> Mono.just(Optional.empty()))
        .defaultIfEmpty(Optional.empty());
  }
}
