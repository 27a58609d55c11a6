package io.weir.spi;

import java.security.Principal;
import java.util.Optional;

/**
 * Names the users of an application: to policies by {@code USER}, tiers, rules, quotas and usage.
 * Unless an application brings one, a user has the name of its principal.
 *
 * <p>Called in the thread of the request, so it should return at once. If it throws, the caller
 * counts as one without a user, and the first failure is logged.
 *
 * <p>Safe for concurrent use. Given to the builder, or found by {@link java.util.ServiceLoader}.
 */
@FunctionalInterface
public interface UserNames {
  /**
   * Names a user.
   *
   * @param principal the framework's, of a caller that has signed in
   * @return the name, the same for each request of the user; empty for a caller without one, which
   *     counts by address
   */
  Optional<String> name(Principal principal);

  /**
   * Names the issuer of a user's name, if several issuers may give one name to different users.
   * Policies by {@code USER} count the users of each issuer apart; tiers, rules, quotas and usage
   * go by the name alone.
   *
   * @param principal the framework's, of a caller that has signed in
   * @return such as the {@code iss} of a token; empty unless overridden
   */
  default Optional<String> issuer(Principal principal) {
    return Optional.empty();
  }
}
