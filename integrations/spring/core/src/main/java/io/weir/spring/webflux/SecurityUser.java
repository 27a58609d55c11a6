package io.weir.spring.webflux;

import java.util.Optional;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Reads the user that Spring Security has signed in from a reactive chain, where no exchange is.
 */
final class SecurityUser {
  private static final boolean HAS_SECURITY =
      ClassUtils.isPresent(
          "org.springframework.security.core.context.ReactiveSecurityContextHolder",
          SecurityUser.class.getClassLoader());

  private SecurityUser() {}

  /**
   * Reads the name of the user, and notes its issuer.
   *
   * @param context of a subscriber behind Spring Security's filters
   * @param info gets the issuer
   * @return empty if nobody has signed in, or if it can't be read
   */
  static Mono<Optional<String>> of(ContextView context, ExchangeRequest info) {
    return HAS_SECURITY ? Holder.user(context, info) : Mono.just(Optional.empty());
  }

  /** Loaded only where Spring Security is present. */
  private static final class Holder {
    private Holder() {}

    static Mono<Optional<String>> user(ContextView context, ExchangeRequest info) {
      return ReactiveSecurityContextHolder.getContext()
          .mapNotNull(SecurityContext::getAuthentication)
          .map(info::nameOf)
          .onErrorResume(unreadable -> Mono.just(Optional.empty()))
          .defaultIfEmpty(Optional.empty())
          .contextWrite(context);
    }
  }
}
