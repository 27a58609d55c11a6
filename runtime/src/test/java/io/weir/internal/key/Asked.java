package io.weir.internal.key;

import io.weir.spi.RequestInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A request with the values that a test sets. The testkit has one for users, but depends on this
 * module.
 */
final class Asked implements RequestInfo {
  private final Map<String, List<String>> headers = new HashMap<>();
  private final Map<String, String> others = new HashMap<>();

  static Asked from(String peer) {
    return new Asked().set("peer", peer);
  }

  static Asked outsideHttp() {
    return new Asked();
  }

  /** Sets {@code user}, or {@code query name}, {@code path name} and the like. */
  Asked set(String what, String value) {
    others.put(what, value);
    return this;
  }

  Asked header(String name, String... lines) {
    headers
        .computeIfAbsent(name.toLowerCase(Locale.ROOT), unused -> new ArrayList<>())
        .addAll(List.of(lines));
    return this;
  }

  @Override
  public String method() {
    return "GET";
  }

  @Override
  public List<String> headers(String name) {
    return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
  }

  @Override
  public Optional<String> query(String name) {
    return get("query " + name);
  }

  @Override
  public Optional<String> path(String name) {
    return get("path " + name);
  }

  @Override
  public Optional<String> cookie(String name) {
    return get("cookie " + name);
  }

  @Override
  public Optional<String> parameter(String name) {
    return get("param " + name);
  }

  @Override
  public Optional<String> form(String name) {
    return get("form " + name);
  }

  @Override
  public Optional<String> json(String pointer) {
    return get("json " + pointer);
  }

  @Override
  public Optional<String> user() {
    return get("user");
  }

  @Override
  public Optional<String> issuer() {
    return get("issuer");
  }

  @Override
  public Optional<String> peer() {
    return get("peer");
  }

  private Optional<String> get(String what) {
    return Optional.ofNullable(others.get(what));
  }
}
