package io.weir.internal.http;

import io.weir.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes the responses of refused requests, each once for all who are told the same: under an attack
 * that is most of all responses.
 *
 * <p>A caller that has used its limit gets 429; one that is refused because the server is short of
 * capacity, or cut off from its store, gets 503. Both carry {@code Retry-After} in every dialect.
 *
 * <p>Safe for concurrent use.
 */
public final class RefusalFactory {
  /** How many are remembered, 512: a policy has one for each second, or each caller's. */
  private static final int REMEMBERED_BITS = 9;

  private static final CustomRefusalBody NONE = new CustomRefusalBody(Optional.empty(), true);

  private final RateLimitFields fields;
  private final RefusalFormat format;
  private final Optional<CustomRefusalBody.Source> words;
  private final AcceptLanguageParser languages = new AcceptLanguageParser();
  private final BoundedCache<RefusalDetails, RefusalContent> contents =
      new BoundedCache<>(REMEMBERED_BITS);

  /** The latest for each of so many hash codes: found without a key object for each refusal. */
  private final AtomicReferenceArray<@Nullable Known> known =
      new AtomicReferenceArray<>(1 << REMEMBERED_BITS);

  private record Known(RefusalDetails told, Refusal refusal) {}

  /**
   * Writes the rate limit fields of each refusal by the given writer.
   *
   * @param fields writes the fields that tell of limits
   * @param format the standard documents
   * @param words the application's own, if it has any
   */
  public RefusalFactory(RateLimitFields fields, RefusalFormat format, Optional<CustomRefusalBody.Source> words) {
    this.fields = fields;
    this.format = format;
    this.words = words;
  }

  /**
   * Makes the response to a refused request.
   *
   * @param decision a refusal
   * @param headers finds the values of a header field of the request
   * @return 429 or 503 with a body
   * @throws IllegalArgumentException if the request was admitted
   */
  public Refusal of(Decision decision, Function<String, List<String>> headers) {
    List<Locale.LanguageRange> read =
        words.isEmpty() ? List.of() : languages.of(headers.apply("Accept-Language"));
    CallerQuota caller = fields.caller(decision);
    int slot = slot(caller, read);
    Known kept = known.getAcquire(slot);
    if (kept != null && kept.told.says(decision, caller, read)) {
      return kept.refusal;
    }
    RefusalDetails told = new RefusalDetails(decision, caller, read);
    Refusal made = refusal(decision, told);
    known.setRelease(slot, new Known(told, made));
    return made;
  }

  private static int slot(CallerQuota caller, List<Locale.LanguageRange> languages) {
    int hash = caller.policy().name().hashCode() * 31 + Long.hashCode(caller.resetEpochSeconds());
    return (hash * 31 + languages.hashCode()) * 0x9E3779B9 >>> Integer.SIZE - REMEMBERED_BITS;
  }

  private Refusal refusal(Decision decision, RefusalDetails told) {
    List<HeaderField> headers = new ArrayList<>(fields.of(decision));
    headers.add(new HeaderField("Retry-After", Long.toString(told.retryAfterSeconds())));
    return new Refusal(told.status(), headers, content(told.inBody()));
  }

  private RefusalContent content(RefusalDetails inBody) {
    RefusalContent kept = contents.find(inBody);
    if (kept != null) {
      return kept;
    }
    RefusalContent standard = StandardRefusalBody.of(format, inBody);
    CustomRefusalBody own = words.map(each -> each.of(inBody)).orElse(NONE);
    RefusalContent content = own.text().map(standard::replacedBy).orElse(standard);
    if (own.lasting()) {
      contents.put(inBody, content);
    }
    return content;
  }

  /**
   * Makes the response to a request that can't be counted, and wasn't charged before.
   *
   * @param detail what is wrong with it, for people
   * @return 400 with the standard document
   */
  public Refusal badRequest(String detail) {
    return badRequest(detail, Optional.empty());
  }

  /**
   * Makes the response to a request that can't be counted.
   *
   * @param detail what is wrong with it, for people
   * @param charged what was decided of it before and stays charged
   * @return 400 with the standard document
   */
  public Refusal badRequest(String detail, Optional<Decision> charged) {
    RefusalContent content = StandardRefusalBody.badRequest(format, detail);
    return new Refusal(400, charged.map(fields::of).orElse(List.of()), content);
  }
}
