package io.weir.internal.body;

import io.weir.InvalidRequestException;
import io.weir.adapter.FormPart;
import io.weir.adapter.ReadBody;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A body that was read, whose fields are decoded when they are first asked for. */
final class BodyContent implements ReadBody {
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private final byte[] sent;
  private final boolean isWhole;
  private final boolean isCoded;
  private final Optional<Decoding> decoding;

  /** The reason why no policy can read it; null if they can. */
  private final @Nullable RuntimeException refusal;

  private volatile boolean admitsUnreadable;
  private volatile @Nullable Map<String, List<String>> fields;
  private volatile @Nullable List<FormPart> parts;
  private volatile @Nullable JsonFields json;

  /**
   * Says how the bytes are decoded.
   *
   * @param plain the bytes without content coding
   */
  @SuppressWarnings("ArrayRecordComponent") // none is compared with another
  record Decoding(byte[] plain, ContentType type, Optional<String> encoding, int maxDepth) {}

  /**
   * Takes a body.
   *
   * @param sent the bytes that were read
   * @param isWhole whether the stream has no more
   * @param isCoded whether the bytes have a content coding
   * @param decoding empty if there is no body, or none of a known type
   * @param admitsUnreadable whether malformed fields count as missing
   * @param refusal thrown to policies that don't admit it; null if they can read it
   */
  BodyContent(
      byte[] sent,
      boolean isWhole,
      boolean isCoded,
      Optional<Decoding> decoding,
      boolean admitsUnreadable,
      @Nullable RuntimeException refusal) {
    this.sent = sent;
    this.isWhole = isWhole;
    this.isCoded = isCoded;
    this.decoding = decoding;
    this.admitsUnreadable = admitsUnreadable;
    this.refusal = refusal;
  }

  /** Has malformed fields refused from now on, for policies that don't admit them. */
  void refuseUnreadable() {
    admitsUnreadable = false;
    if (refusal != null) {
      throw refusal;
    }
  }

  Optional<ContentType> type() {
    return decoding.map(Decoding::type);
  }

  @Override
  public Optional<String> form(String name, List<String> ofQuery) {
    return readable(
        () -> {
          requireNoOther(name);
          List<String> values = new ArrayList<>(ofQuery);
          values.addAll(decodedFields().getOrDefault(name, List.of()));
          decodedParts().stream()
              .filter(each -> each.name().equals(name))
              .map(FormPart::text)
              .forEach(values::add);
          return only(name, values);
        });
  }

  /**
   * Refuses compressed bytes that have the field as they are, too: readers of the application that
   * don't decompress find it there, and an attacker can make such bytes.
   */
  private void requireNoOther(String name) {
    if (isCoded
        && decoding.isPresent()
        && (FormDecoder.hasField(sent, name)
            || MultipartDecoder.hasDelimiter(sent, decoding.get().type()))) {
      throw new InvalidRequestException("The body holds a form also before it is decompressed.");
    }
  }

  static Optional<String> only(String name, List<String> values) {
    if (values.size() > 1) {
      throw new InvalidRequestException("The form field " + name + " has several values.");
    }
    return values.stream().findFirst();
  }

  @Override
  public Optional<String> json(String pointer) {
    return find(pointer, false);
  }

  @Override
  public Optional<String> jsonNumber(String pointer) {
    return find(pointer, true);
  }

  private Optional<String> find(String pointer, boolean anyNumber) {
    return readable(
        () ->
            decoding
                .filter(each -> each.type().isJson())
                .flatMap(each -> decodedJson(each).find(pointer, anyNumber)));
  }

  private JsonFields decodedJson(Decoding body) {
    JsonFields known = json;
    if (known == null) {
      known = json(body);
      json = known;
    }
    return known;
  }

  private static JsonFields json(Decoding body) {
    body.type().requireUtf8();
    String text = StrictText.of(body.plain(), 0, body.plain().length, StandardCharsets.UTF_8);
    boolean isMarked = !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK;
    return new JsonFields(isMarked ? text.substring(1) : text, body.maxDepth());
  }

  private Optional<String> readable(Supplier<Optional<String>> reading) {
    try {
      return reading.get();
    } catch (InvalidRequestException unreadable) {
      if (admitsUnreadable) {
        return Optional.empty();
      }
      throw unreadable;
    }
  }

  private Map<String, List<String>> decodedFields() {
    Map<String, List<String>> known = fields;
    if (known == null) {
      known =
          decoding.filter(each -> each.type().isForm()).map(BodyContent::fields).orElse(Map.of());
      fields = known;
    }
    return known;
  }

  /** Frameworks that decode forms themselves don't all go by the charset that a client names. */
  private static Map<String, List<String>> fields(Decoding form) {
    Charset named = form.type().ofForm(form.encoding());
    Map<String, List<String>> fields = FormDecoder.fields(form.plain(), named);
    boolean isSure = form.encoding().isPresent() || named.equals(StandardCharsets.UTF_8);
    if (!isSure && !fields.equals(FormDecoder.fields(form.plain(), StandardCharsets.UTF_8))) {
      throw new InvalidRequestException("The form in the body must be in UTF-8.");
    }
    return fields;
  }

  private List<FormPart> decodedParts() {
    List<FormPart> known = parts;
    if (known == null) {
      known =
          decoding
              .filter(each -> each.type().isMultipart())
              .map(
                  each ->
                      MultipartDecoder.parts(
                          each.plain(), each.type(), each.type().ofForm(each.encoding())))
              .orElse(List.of());
      parts = known;
    }
    return known;
  }

  @Override
  public byte[] bytes() {
    return sent;
  }

  @Override
  public boolean isWhole() {
    return isWhole;
  }

  @Override
  public Map<String, List<String>> fields() {
    return isCoded ? Map.of() : admitsUnreadable ? wellFormedFields() : decodedFields();
  }

  /** The application hasn't to do without the others where policies do. */
  private Map<String, List<String>> wellFormedFields() {
    return decoding
        .filter(each -> each.type().isForm())
        .map(each -> FormDecoder.wellFormedFields(each.plain(), charset(each)))
        .orElse(Map.of());
  }

  private static Charset charset(Decoding form) {
    try {
      return form.type().ofForm(form.encoding());
    } catch (InvalidRequestException unknown) {
      return StandardCharsets.UTF_8;
    }
  }

  @Override
  public List<FormPart> parts() {
    return isCoded ? List.of() : decodedParts();
  }
}
