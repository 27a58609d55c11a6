package io.weir.internal.http;

import io.weir.Decision;
import io.weir.Outcome;
import io.weir.Policy;
import io.weir.Reason;
import io.weir.spi.RefusalInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * All that the response to a refusal says. Two requests for which it is the same get the same
 * response.
 *
 * <p>Immutable.
 */
final class RefusalDetails implements RefusalInfo {
  private final Policy policy;
  private final long limit;
  private final Reason reason;
  private final long retryAfterSeconds;
  private final List<Locale.LanguageRange> languages;

  /** What else the fields say; 0 where only the body counts. */
  private final long remaining;

  private final long resetSeconds;
  private final long resetEpochSeconds;

  /** Each policy that decided, if these are several. */
  private final List<Part> parts;

  /** Not a record: the hash code of one is generated at run time, when the first is refused. */
  private static final class Part {
    private final Policy policy;
    private final long limit;
    private final boolean refused;

    Part(Decision part) {
      this.policy = part.policy();
      this.limit = part.limit();
      this.refused = part.outcome() == Outcome.REFUSED;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Part that
          && limit == that.limit
          && refused == that.refused
          && policy.equals(that.policy);
    }

    @Override
    public int hashCode() {
      return policy.name().hashCode() * 31 + Boolean.hashCode(refused);
    }
  }

  private RefusalDetails(RefusalDetails like, long remaining, long resetSeconds, long resetEpochSeconds) {
    this.policy = like.policy;
    this.limit = like.limit;
    this.reason = like.reason;
    this.retryAfterSeconds = like.retryAfterSeconds;
    this.languages = like.languages;
    this.parts = like.parts;
    this.remaining = remaining;
    this.resetSeconds = resetSeconds;
    this.resetEpochSeconds = resetEpochSeconds;
  }

  /**
   * What a refused caller is told.
   *
   * @param caller what the fields say of the caller
   * @param languages those that the caller reads, if anybody asks
   * @throws IllegalArgumentException if the request was admitted
   */
  RefusalDetails(Decision decision, CallerQuota caller, List<Locale.LanguageRange> languages) {
    this.policy = decision.policy();
    this.limit = decision.limit();
    this.reason = decision.reason();
    this.languages = languages;
    List<Decision> all = decision.parts();
    this.retryAfterSeconds = retryAfter(all);
    this.remaining = caller.remaining();
    this.resetSeconds = caller.resetSeconds();
    this.resetEpochSeconds = caller.resetEpochSeconds();
    this.parts = all.size() == 1 ? List.of() : parts(all);
  }

  /** Only of the policies that refuse: a shadow policy keeps nobody waiting. */
  private static long retryAfter(List<Decision> parts) {
    long longest = -1;
    for (int i = 0; i < parts.size(); i++) { // no iterator for each refusal
      if (parts.get(i).outcome() == Outcome.REFUSED) {
        longest = Math.max(longest, WholeSeconds.ceil(parts.get(i).retryAfter()));
      }
    }
    if (longest < 0) {
      throw new IllegalArgumentException("not a refusal: " + parts);
    }
    return Math.max(1, longest);
  }

  private static List<Part> parts(List<Decision> all) {
    List<Part> parts = new ArrayList<>(all.size());
    for (Decision each : all) {
      parts.add(new Part(each));
    }
    return parts;
  }

  /** Whether another refusal says the same. */
  boolean says(Decision decision, CallerQuota caller, List<Locale.LanguageRange> read) {
    List<Decision> all = decision.parts();
    return resetEpochSeconds == caller.resetEpochSeconds()
        && resetSeconds == caller.resetSeconds()
        && remaining == caller.remaining()
        && limit == decision.limit()
        && reason == decision.reason()
        && policy.equals(decision.policy())
        && retryAfterSeconds == retryAfter(all)
        && languages.equals(read)
        && parts.equals(all.size() == 1 ? List.of() : parts(all));
  }

  /** The same for all whose response has the same body. */
  RefusalDetails inBody() {
    return new RefusalDetails(this, 0, 0, 0);
  }

  @Override
  public Policy policy() {
    return policy;
  }

  @Override
  public List<Policy> policies() {
    if (parts.isEmpty()) {
      return List.of(policy);
    }
    return parts.stream().filter(each -> each.refused).map(each -> each.policy).toList();
  }

  @Override
  public long limit() {
    return limit;
  }

  @Override
  public Reason reason() {
    return reason;
  }

  @Override
  public int status() {
    return switch (reason) {
      case WITHIN_LIMIT, QUOTA_EXCEEDED, ABNORMAL_USAGE -> 429;
      case REDUCED_CAPACITY, STORE_UNAVAILABLE -> 503;
    };
  }

  @Override
  public long retryAfterSeconds() {
    return retryAfterSeconds;
  }

  @Override
  public List<Locale.LanguageRange> languages() {
    return languages;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RefusalDetails that
        && retryAfterSeconds == that.retryAfterSeconds
        && resetEpochSeconds == that.resetEpochSeconds
        && resetSeconds == that.resetSeconds
        && remaining == that.remaining
        && limit == that.limit
        && reason == that.reason
        && policy.equals(that.policy)
        && languages.equals(that.languages)
        && parts.equals(that.parts);
  }

  @Override
  public int hashCode() {
    int hash = policy.name().hashCode();
    hash = hash * 31 + Long.hashCode(retryAfterSeconds);
    hash = hash * 31 + Long.hashCode(resetEpochSeconds);
    hash = hash * 31 + Long.hashCode(limit);
    return hash * 31 + languages.hashCode();
  }
}
