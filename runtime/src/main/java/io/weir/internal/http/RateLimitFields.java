package io.weir.internal.http;

import io.weir.Decision;
import io.weir.Policy;
import io.weir.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;

/**
 * Writes the header fields that tell a caller of its limits, in the dialect of the settings.
 *
 * <p>If several policies decided, a field lists all of them or shows the closest one, depending on
 * the dialect.
 *
 * <p>Safe for concurrent use.
 */
public final class RateLimitFields {
  private final HeaderDialect dialect;
  private final Ticker ticker;
  private final ConcurrentMap<String, CachedPolicyFields> known = new ConcurrentHashMap<>();

  /**
   * Makes a writer.
   *
   * @param dialect which fields to write
   * @param ticker the time of day for {@code X-RateLimit-Reset}
   */
  public RateLimitFields(HeaderDialect dialect, Ticker ticker) {
    this.dialect = dialect;
    this.ticker = ticker;
  }

  /**
   * Writes the fields for a response, whether the request was admitted or refused.
   *
   * @param decision what was decided
   * @return the fields of the dialect; none for {@link HeaderDialect#NONE}
   */
  public List<HeaderField> of(Decision decision) {
    List<DialectField> wanted = dialect.fields();
    if (wanted.isEmpty()) {
      return List.of();
    }
    List<Optional<HeaderField>> closest = kept(decision).fields();
    CallerQuota caller = caller(decision);
    boolean several = decision.parts().size() > 1;
    List<HeaderField> fields = new ArrayList<>(wanted.size());
    for (int index = 0; index < wanted.size(); index++) {
      DialectField field = wanted.get(index);
      if (several && field.listsAll()) {
        fields.add(field.field(list(decision, index)));
      } else {
        Optional<HeaderField> known = closest.get(index);
        fields.add(known.isPresent() ? known.get() : field.of(caller));
      }
    }
    return fields;
  }

  /** What the fields say of the caller. */
  CallerQuota caller(Decision decision) {
    return new CallerQuota(decision, ticker);
  }

  /** What one field says of all policies, in the order asked. */
  private String list(Decision decision, int index) {
    return decision.parts().stream()
        .flatMap(each -> kept(each).fields().get(index).stream())
        .map(HeaderField::value)
        .collect(Collectors.joining(","));
  }

  /** What is said of a policy hardly ever changes, so the last of each name is kept. */
  private CachedPolicyFields kept(Decision part) {
    Policy policy = part.policy();
    CachedPolicyFields kept = known.get(policy.name());
    if (kept != null
        && kept.fits(policy, part.limit())
        && (kept.isLasting() || !kept.isOver(ticker.epochMicros()))) {
      return kept;
    }
    CachedPolicyFields made = CachedPolicyFields.of(dialect, policy, part.limit(), ticker.epochMicros());
    known.put(policy.name(), made);
    return made;
  }
}
