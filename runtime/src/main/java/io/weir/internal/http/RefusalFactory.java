package io.weir.internal.http;

import io.weir.Decision;
import io.weir.adapter.HeaderField;
import io.weir.adapter.Refusal;
import io.weir.adapter.RequestValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes the responses of refused requests. Equal responses are made once: under an attack they are
 * most of all responses.
 *
 * <p>A caller that has used its limit gets 429; one that is refused because the server is
 * overloaded, or can't reach its store, gets 503. Both carry {@code Retry-After} in every dialect,
 * unless the request costs so much that no retry helps. One that is denied gets 403, without
 * fields.
 *
 * <p>Safe for concurrent use.
 */
public final class RefusalFactory {
  /** For 512 refusals: each policy has one for each second, or one for each caller. */
  private static final int CACHE_BITS = 9;

  private static final int BAD_REQUEST = 400;

  private static final CustomRefusalBody STANDARD = new CustomRefusalBody(Optional.empty(), true);

  private final RateLimitFields fields;
  private final RefusalFormat format;
  private final Optional<CustomRefusalBody.Source> customBody;
  private final AcceptLanguageParser languages = new AcceptLanguageParser();
  private final BoundedCache<RefusalDetails, EncodedRefusalBody> contents =
      new BoundedCache<>(CACHE_BITS);

  /** The latest refusal for each hash code, found without making a key for each request. */
  private final AtomicReferenceArray<@Nullable Cached> cache =
      new AtomicReferenceArray<>(1 << CACHE_BITS);

  private record Cached(RefusalDetails details, Refusal refusal) {}

  public RefusalFactory(
      RateLimitFields fields, RefusalFormat format, Optional<CustomRefusalBody.Source> customBody) {
    this.fields = fields;
    this.format = format;
    this.customBody = customBody;
  }

  /**
   * Makes the response to a refused request.
   *
   * @return 429, 503 or 403 with a body
   * @throws IllegalArgumentException if the request was admitted
   */
  public Refusal of(Decision decision, Function<String, List<String>> headers) {
    List<Locale.LanguageRange> accepted = customBody.isEmpty() ? List.of() : accepted(headers);
    CallerQuota caller = fields.quota(decision);
    int slot = slot(caller, accepted);
    Cached cached = cache.getAcquire(slot);
    if (cached != null && cached.details.describe(decision, caller, accepted)) {
      return cached.refusal;
    }
    RefusalDetails details = new RefusalDetails(decision, caller, accepted);
    Refusal made = refusal(decision, details);
    cache.setRelease(slot, new Cached(details, made));
    return made;
  }

  /** A refusal holds, even if its caller has sent languages that the adapter fails to read. */
  private List<Locale.LanguageRange> accepted(Function<String, List<String>> headers) {
    return RequestValues.read(() -> headers.apply("Accept-Language"))
        .map(languages::parse)
        .orElse(List.of());
  }

  private static int slot(CallerQuota caller, List<Locale.LanguageRange> languages) {
    int hash = caller.policy().name().hashCode() * 31 + Long.hashCode(caller.resetEpochSeconds());
    return (hash * 31 + languages.hashCode()) * 0x9E3779B9 >>> Integer.SIZE - CACHE_BITS;
  }

  private Refusal refusal(Decision decision, RefusalDetails details) {
    List<HeaderField> headers = new ArrayList<>(fields.of(decision));
    if (details.retryAfterSeconds() > 0) {
      headers.add(new HeaderField("Retry-After", Long.toString(details.retryAfterSeconds())));
    }
    return new PreparedRefusal(details.status(), headers, content(details.ofBody()));
  }

  private EncodedRefusalBody content(RefusalDetails ofBody) {
    EncodedRefusalBody cached = contents.find(ofBody);
    if (cached != null) {
      return cached;
    }
    EncodedRefusalBody standard = StandardRefusalBody.of(format, ofBody);
    CustomRefusalBody custom = customBody.map(each -> each.of(ofBody)).orElse(STANDARD);
    EncodedRefusalBody content = custom.text().map(standard::replacedBy).orElse(standard);
    if (custom.cacheable()) {
      contents.put(ofBody, content);
    }
    return content;
  }

  /**
   * Makes the response to a request that can't be counted and wasn't charged before.
   *
   * @param detail describes what is wrong with it, for people
   * @return 400 with the standard body
   */
  public Refusal badRequest(String detail) {
    return badRequest(detail, Optional.empty());
  }

  /**
   * Makes the response to a request that can't be counted.
   *
   * @param charged an earlier decision for the request that stays charged
   */
  public Refusal badRequest(String detail, Optional<Decision> charged) {
    return unreadable(BAD_REQUEST, detail, charged);
  }

  /**
   * Makes the response to a request whose body isn't read for a policy.
   *
   * @param status 400, 408, 413 or 503
   * @param detail describes what is wrong with it, for people
   * @param charged an earlier decision for the request that stays charged
   * @return the status with the standard body
   */
  public Refusal unreadable(int status, String detail, Optional<Decision> charged) {
    EncodedRefusalBody content = StandardRefusalBody.unreadable(format, status, detail);
    return new PreparedRefusal(status, charged.map(fields::of).orElse(List.of()), content);
  }
}
