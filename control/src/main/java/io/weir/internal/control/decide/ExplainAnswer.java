package io.weir.internal.control.decide;

import io.weir.internal.control.json.OmittedIfNull;
import io.weir.internal.control.resource.Described;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a request, their reasons, and what the next such request to this node gets while
 * nothing else runs.
 *
 * @param caller the caller, and how it was determined
 * @param tier the caller's tier, and its source
 * @param policies the policies that could apply; those that do are first
 */
public record ExplainAnswer(
    String caller,
    String tier,
    @Described(
            "Whether this node would admit the next such request if no other came before it; null"
                + " if this node can't decide all of its policies")
        @Nullable Boolean allowed,
    @Described("The decision for the request; null if this node can't decide it")
        @Nullable CheckAnswer decision,
    @Described(
            "The entries of access lists that are about the caller: the one that decides, if one"
                + " does, and one that would if it weren't in shadow mode. Without one that"
                + " decides, the caller's bans too")
        List<AccessMatch> access,
    @Described("The policies that this node can't decide, and why; empty if it can decide all")
        List<String> undecided,
    List<PolicyExplanation> policies) {
  /**
   * The explanation of one policy or rule.
   *
   * @param limit permits per window for the caller; 0 if it doesn't apply
   * @param window as it is written in the rule
   * @param allowed whether it would admit the request; null if it doesn't apply
   * @param remaining the permits left; null if it doesn't apply, or its counts couldn't be read
   * @param resetTime when more permits are available, in seconds since 1970; null like remaining
   * @param undecided whether it may apply, but isn't decided here
   */
  public record PolicyExplanation(
      String name,
      boolean holds,
      long limit,
      String window,
      String source,
      String reason,
      @Nullable Boolean allowed,
      @Nullable Long remaining,
      @Nullable Long resetTime,
      @Described("Whether it applies, but its counts couldn't be read") boolean unread,
      @Described("Whether it may apply, but can't be decided here; see the reason")
          boolean undecided,
      @Described(
              "Counts of each region; missing unless weir.region is set and the limit is"
                  + " decided here")
          @OmittedIfNull
          @Nullable RegionsAnswer regions) {}

  public ExplainAnswer {
    access = List.copyOf(access);
    undecided = List.copyOf(undecided);
    policies = List.copyOf(policies);
  }
}
