package io.weir.internal.http;

import io.weir.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * Makes the responses of refused requests, each once for all who are told the same: under an attack
 * that is most of all responses.
 *
 * <p>A caller that has used its limit gets 429; one that is refused because the server is short of
 * capacity, or cut off from its store, gets 503. Both carry {@code Retry-After} in every dialect.
 *
 * <p>Safe for concurrent use.
 */
public final class Refusals {
  /** How many are remembered, 512: a policy has one for each second, or each caller's. */
  private static final int REMEMBERED_BITS = 9;

  private static final OwnWords NONE = new OwnWords(Optional.empty(), true);

  private final RateLimitFields fields;
  private final RefusalFormat format;
  private final Optional<OwnWords.Source> words;
  private final AcceptedLanguages languages = new AcceptedLanguages();
  private final BoundedCache<ToldRefusal, RefusalContent> contents =
      new BoundedCache<>(REMEMBERED_BITS);
  private final BoundedCache<ToldRefusal, Refusal> known = new BoundedCache<>(REMEMBERED_BITS);

  /**
   * Writes the rate limit fields of each refusal by the given writer.
   *
   * @param fields writes the fields that tell of limits
   * @param format the standard documents
   * @param words the application's own, if it has any
   */
  public Refusals(RateLimitFields fields, RefusalFormat format, Optional<OwnWords.Source> words) {
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
    ToldRefusal told = new ToldRefusal(decision, fields.caller(decision), read);
    Refusal kept = known.find(told);
    return kept != null ? kept : refusal(decision, told);
  }

  private Refusal refusal(Decision decision, ToldRefusal told) {
    List<HeaderField> headers = new ArrayList<>(fields.of(decision));
    headers.add(new HeaderField("Retry-After", Long.toString(told.retryAfterSeconds())));
    Refusal made = new Refusal(told.status(), headers, content(told.inBody()));
    known.put(told, made);
    return made;
  }

  private RefusalContent content(ToldRefusal inBody) {
    RefusalContent kept = contents.find(inBody);
    if (kept != null) {
      return kept;
    }
    RefusalContent standard = StandardDocument.of(format, inBody);
    OwnWords own = words.map(each -> each.of(inBody)).orElse(NONE);
    RefusalContent content = own.text().map(standard::replacedBy).orElse(standard);
    if (own.lasting()) {
      contents.put(inBody, content);
    }
    return content;
  }

  /**
   * Makes the response to a request that can't be counted.
   *
   * @param detail what is wrong with it, for people
   * @return 400 with the standard document
   */
  public Refusal badRequest(String detail) {
    RefusalContent content = StandardDocument.badRequest(format, detail);
    return new Refusal(400, List.of(), content);
  }
}
