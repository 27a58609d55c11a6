package io.weir.internal.control.decide;

import io.weir.internal.control.resource.Described;
import io.weir.internal.control.resource.SchemaName;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The state of a user's limits.
 *
 * @param rules the rules that apply to the user and count it
 */
@SchemaName("StatusAnswer")
public record LimitStatusAnswer(
    String userId,
    String tier,
    @Described(
            "DENY if an access list denies the user, ALLOW if it lets no limit refuse it, BAN if the"
                + " user is banned from the whole application; otherwise null")
        @Nullable String access,
    @Described("Of what the user is banned until when; empty if it isn't") List<BanStatus> bans,
    List<RuleStatus> rules,
    @Described(
            "Whether rules are missing or may be wrong, since the store is slow or can't be"
                + " reached")
        boolean incomplete) {
  /** A ban of the user. */
  public record BanStatus(
      @Described("The policy whose endpoints refuse the user; null: all do")
          @Nullable String policy,
      Instant until,
      @Described("Why the user was banned") String reason) {
    static BanStatus of(AccessMatch ban) {
      return new BanStatus(
          ban.bannedBy().orElse(null), Objects.requireNonNull(ban.validUntil()), ban.reason());
    }
  }

  /**
   * The state of one rule.
   *
   * @param name the rule's or policy's name, which no other of the answer has
   * @param resetTime when more permits are available, in seconds since 1970, rounded up
   * @param shadow whether the rule is in shadow mode, so that it refuses nobody
   */
  public record RuleStatus(
      @Described("The name of the rule or policy") String name,
      @Described("The rule's pattern") String endpoint,
      long limit,
      @Described("Such as 60s, 1 MONTH or QUOTA") String window,
      long remaining,
      long resetTime,
      @Described("Whether the rule is in shadow mode: it counts but refuses no request")
          boolean shadow) {}

  public LimitStatusAnswer {
    bans = List.copyOf(bans);
    rules = List.copyOf(rules);
  }
}
