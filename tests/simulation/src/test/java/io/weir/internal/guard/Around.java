package io.weir.internal.guard;

import io.weir.spi.RequestInfo;
import java.util.List;
import java.util.Optional;

/** A request whose every value is the name of the method that returns it. */
final class Around implements RequestInfo {
  @Override
  public String method() {
    return "POST";
  }

  @Override
  public String mapping() {
    return "/mapped/*";
  }

  @Override
  public boolean hasTemplate() {
    return true;
  }

  @Override
  public boolean mayBeLeftOut() {
    return true;
  }

  @Override
  public List<String> headers(String name) {
    return List.of("header " + name);
  }

  @Override
  public Optional<String> query(String name) {
    return Optional.of("query " + name);
  }

  @Override
  public Optional<String> path(String name) {
    return Optional.of("path " + name);
  }

  @Override
  public Optional<String> cookie(String name) {
    return Optional.of("cookie " + name);
  }

  @Override
  public Optional<String> parameter(String name) {
    return Optional.of("parameter " + name);
  }

  @Override
  public Optional<String> user() {
    return Optional.of("alice");
  }

  @Override
  public Optional<String> issuer() {
    return Optional.of("issuer");
  }

  @Override
  public boolean isJoined(String text) {
    return text.equals("1,1");
  }

  @Override
  public Optional<String> peer() {
    return Optional.of("192.0.2.1");
  }

  @Override
  public Optional<String> address() {
    return Optional.of("198.51.100.1");
  }
}
