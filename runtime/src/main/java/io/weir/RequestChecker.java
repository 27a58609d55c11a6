package io.weir;

import io.weir.spi.RequestInfo;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Decides requests that another process or a gateway serves, or messages, each described by a
 * {@link RequestInfo} that the caller of these methods makes.
 *
 * <p>A request is limited by the policies of a {@link io.weir.spi.PolicySource}, those of the
 * settings for its path, that of the whole application, and, if its {@linkplain
 * RequestInfo#endpoint() endpoint} is {@code policy:NAME}, the annotated policy of that name; if
 * none of these applies, by that of {@code weir.default.*}. It shares their buckets with the
 * requests that are served here. Both phases are decided at once; all policies admit, or none takes
 * a permit. Once decided it counts as completed, even under policies that count only failures or
 * successes.
 *
 * <p>Safe for concurrent use; obtained from {@link Weir#checker()}.
 */
public interface RequestChecker {
  /**
   * Decides a request without waiting, and charges it if it is admitted.
   *
   * @param request the request; may be read until the stage is completed
   * @return the decision, if any policy limits the request. The stage is completed now, or when
   *     policy source and store have answered, or at the store time-out; exceptionally only with an
   *     {@link InvalidRequestException}, if a policy can't count the request
   */
  CompletionStage<CheckResult> check(RequestInfo request);

  /**
   * Decides several requests, all or nothing: if a policy refuses one of them, none is charged.
   * Requests that take from one bucket take the sum.
   *
   * @param requests the requests, at least one
   * @return the result of each, in their order, as from {@link #check}. If one is refused, the
   *     other results show what they would have been, with no permits taken
   * @throws IllegalArgumentException if there is none
   */
  CompletionStage<List<CheckResult>> checkTogether(List<? extends RequestInfo> requests);

  /**
   * Returns the decision that {@link #check} would make now, without charging the request. Waits
   * for the policy source, and for the store at most its time-out for each policy.
   *
   * @param request the request
   * @return the decision, with a part for each policy, if any limits the request
   * @throws InvalidRequestException if a policy can't count the request
   */
  CheckResult peek(RequestInfo request);

  /**
   * Determines the address of a request's caller as policies by {@code IP} count it, for an own
   * {@link RequestInfo#address()}. Takes nothing, and doesn't wait.
   *
   * @param request the request, of which the peer and the header of proxies are read
   * @return the address or block; empty only if there is no peer
   */
  Optional<String> address(RequestInfo request);
}
