package io.weir.internal.body;

import io.weir.InvalidRequestException;
import io.weir.adapter.FormPart;
import io.weir.adapter.ReadBody;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A form that the framework has read before Weir.
 *
 * @param values of query and body together
 * @param admitsUnreadable whether a doubled field counts as missing
 */
record ParametersBody(Map<String, List<String>> values, boolean admitsUnreadable)
    implements ReadBody {
  private static final byte[] NONE = {};

  @Override
  public Optional<String> form(String name, List<String> ofQuery) {
    try {
      return BodyContent.only(name, values.getOrDefault(name, List.of()));
    } catch (InvalidRequestException doubled) {
      if (admitsUnreadable) {
        return Optional.empty();
      }
      throw doubled;
    }
  }

  @Override
  public Optional<String> json(String pointer) {
    return Optional.empty();
  }

  @Override
  public Optional<String> jsonNumber(String pointer) {
    return Optional.empty();
  }

  @Override
  public byte[] bytes() {
    return NONE;
  }

  @Override
  public boolean isWhole() {
    return false;
  }

  @Override
  public Map<String, List<String>> fields() {
    return Map.of();
  }

  @Override
  public List<FormPart> parts() {
    return List.of();
  }
}
