package io.weir;

import io.weir.spi.RequestInfo;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Decides requests that somebody else serves: another process, a gateway, the sender of a message.
 * What is known of such a request is a {@link RequestInfo} that whoever asks makes.
 *
 * <p>It is limited by all that a {@link io.weir.spi.PolicySource} says of it, by the policies that
 * settings give its path, by that of the whole application, and, if its {@linkplain
 * RequestInfo#endpoint() endpoint} is {@code policy:NAME}, by the annotated policy of that name;
 * where none of these holds, by that of {@code weir.default.*}. It shares their buckets with the requests that are served here. Both phases are decided at once; all
 * policies admit, or none takes a permit. Once decided it counts as completed, whatever its
 * policies say of failures.
 *
 * <p>Safe for concurrent use; obtained from {@link Weir#checker()}.
 */
public interface RequestChecker {
  /**
   * Decides a request, without waiting, and charges it if it is admitted.
   *
   * @param request the request; may be read until the stage is completed
   * @return the decision, nothing if no policy limits the request: completed now, or when policy
   *     source and store have answered, or at the store time-out. Completed exceptionally only by
   *     an {@link InvalidRequestException}, if a policy can't count the request
   */
  CompletionStage<Optional<Decision>> check(RequestInfo request);

  /**
   * Decides several requests, all or nothing: if a policy refuses one of them, none is charged.
   * Requests that take from one bucket take the sum.
   *
   * @param requests the requests, at least one
   * @return the decision of each, in their order, as {@link #check} answers. If one is refused, the
   *     decisions of the others tell what they would have been, and that nothing was taken
   * @throws IllegalArgumentException if there is none
   */
  CompletionStage<List<Optional<Decision>>> checkTogether(List<? extends RequestInfo> requests);

  /**
   * Tells what {@link #check} would say now, and counts nothing. Waits for the policy source, and
   * for the store at most its time-out for each policy.
   *
   * @param request the request
   * @return the decision, with a part for each policy; nothing if no policy limits the request
   * @throws InvalidRequestException if a policy can't count the request
   */
  Optional<Decision> peek(RequestInfo request);
}
