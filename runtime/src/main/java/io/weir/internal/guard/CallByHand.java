package io.weir.internal.guard;

import io.weir.Key;
import io.weir.spi.RequestInfo;
import java.util.List;
import java.util.Optional;

/**
 * What a policy source is told of somebody who decides by hand: the user, if it is one who is
 * counted. Everything else is the business of whoever decides.
 */
final class CallByHand implements RequestInfo {
  private final Optional<String> user;

  CallByHand(Key key) {
    this.user = key.userName();
  }

  /** Of no endpoint: no pattern matches it. */
  @Override
  public String method() {
    return "";
  }

  @Override
  public List<String> headers(String name) {
    return List.of();
  }

  @Override
  public Optional<String> query(String name) {
    return Optional.empty();
  }

  @Override
  public Optional<String> path(String name) {
    return Optional.empty();
  }

  @Override
  public Optional<String> cookie(String name) {
    return Optional.empty();
  }

  @Override
  public Optional<String> parameter(String name) {
    return Optional.empty();
  }

  @Override
  public Optional<String> user() {
    return user;
  }

  @Override
  public Optional<String> peer() {
    return Optional.empty();
  }
}
