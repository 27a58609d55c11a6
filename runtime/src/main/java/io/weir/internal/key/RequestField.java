package io.weir.internal.key;

import io.weir.InvalidRequestException;
import io.weir.spi.RequestInfo;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads a value from a place in a request, {@code query:user}; of the body perhaps from one of
 * several, {@code form:user|json:/user}. Texts of the body are read in Unicode's composed form
 * (NFC), so that all spellings of an account are one key.
 *
 * <p>Immutable.
 *
 * @param alternatives at least one
 */
record RequestField(List<Alternative> alternatives) {
  /** Before a further place in the body; names of fields rarely have such a text. */
  private static final Pattern NEXT = Pattern.compile("\\|(?=form:|json:)");

  /** One place and the name there. */
  record Alternative(RequestValueSource place, String name) {
    @Override
    public String toString() {
      return place.label() + " " + name;
    }
  }

  /** Parses an expression; empty if it doesn't begin with the word of a place and a colon. */
  static Optional<RequestField> of(String expression) {
    boolean isOfBody =
        RequestValueSource.ofExpression(expression)
            .filter(RequestValueSource::isInBody)
            .isPresent();
    List<Alternative> all = new ArrayList<>();
    for (String each : isOfBody ? NEXT.split(expression) : new String[] {expression}) {
      Optional<RequestValueSource> place = RequestValueSource.ofExpression(each);
      if (place.isEmpty()) {
        return Optional.empty();
      }
      all.add(new Alternative(place.get(), each.substring(each.indexOf(':') + 1)));
    }
    return Optional.of(new RequestField(List.copyOf(all)));
  }

  boolean isInBody() {
    return alternatives.get(0).place().isInBody();
  }

  /**
   * Reads the text that becomes a key.
   *
   * @throws InvalidRequestException if the body has several, or one that isn't a text
   */
  Optional<String> read(RequestInfo request) {
    if (!isInBody()) {
      Alternative only = alternatives.get(0);
      return only.place().read(request, only.name());
    }
    List<String> values = new ArrayList<>(1);
    for (Alternative each : alternatives) {
      each.place().read(request, each.name()).ifPresent(values::add);
    }
    if (values.size() > 1) {
      throw new InvalidRequestException("The " + this + " has several values.");
    }
    return values.stream().map(each -> Normalizer.normalize(each, Normalizer.Form.NFC)).findFirst();
  }

  /** Returns all texts there, one of which should be a number. */
  List<String> numbers(RequestInfo request) {
    if (!isInBody()) {
      Alternative only = alternatives.get(0);
      return only.place().numbers(request, only.name());
    }
    return alternatives.stream()
        .flatMap(each -> each.place().numbers(request, each.name()).stream())
        .toList();
  }

  /** Names the place in words for the client. */
  @Override
  public String toString() {
    return alternatives.stream().map(Alternative::toString).collect(Collectors.joining(" or "));
  }

  /** Returns whether any of the alternatives is at a place. */
  boolean reads(RequestValueSource... places) {
    List<RequestValueSource> wanted = Arrays.asList(places);
    return alternatives.stream().anyMatch(each -> wanted.contains(each.place()));
  }
}
