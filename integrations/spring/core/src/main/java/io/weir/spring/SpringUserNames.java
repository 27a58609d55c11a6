package io.weir.spring;

import io.weir.spi.UserNames;
import java.security.Principal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Names users as the application's own bean does, else by their principals, and adds the issuer
 * where several name the users of the application.
 *
 * <p>Safe for concurrent use.
 */
final class SpringUserNames implements UserNames {
  private final @Nullable UserNames own;
  private final IssuerCount issuers;

  /** Takes the application's own bean; null if it has none. */
  SpringUserNames(@Nullable UserNames own, ListableBeanFactory beans) {
    this.own = own;
    this.issuers = new IssuerCount(beans);
  }

  @Override
  public Optional<String> name(Principal principal) {
    return own == null ? UserName.of(principal) : UserName.of(principal, own);
  }

  @Override
  public Optional<String> issuer(Principal principal) {
    Optional<String> given = own == null ? Optional.empty() : own.issuer(principal);
    return given.isPresent()
        ? given
        : UserName.issuer(principal).filter(any -> issuers.isSeveral());
  }
}
