package io.weir.internal.extension;

import io.weir.spi.RequestInfo;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Shows a request unchanged; for those that change a part of it.
 *
 * <p>Used by one thread at a time.
 */
public abstract class ForwardingRequestInfo implements RequestInfo {
  private final RequestInfo request;

  protected ForwardingRequestInfo(RequestInfo request) {
    this.request = request;
  }

  @Override
  public String method() {
    return request.method();
  }

  @Override
  public String answeredMethod() {
    return request.answeredMethod();
  }

  @Override
  public String endpoint() {
    return request.endpoint();
  }

  @Override
  public boolean hasTemplate() {
    return request.hasTemplate();
  }

  @Override
  public List<? extends RequestInfo> otherReadings() {
    return request.otherReadings();
  }

  @Override
  public String mapping() {
    return request.mapping();
  }

  @Override
  public boolean mayBeLeftOut() {
    return request.mayBeLeftOut();
  }

  @Override
  public List<String> headers(String name) {
    return request.headers(name);
  }

  @Override
  public Optional<String> query(String name) {
    return request.query(name);
  }

  @Override
  public List<String> queries(String name) {
    return request.queries(name);
  }

  @Override
  public Optional<String> path(String name) {
    return request.path(name);
  }

  @Override
  public Optional<String> cookie(String name) {
    return request.cookie(name);
  }

  @Override
  public List<String> cookies(String name) {
    return request.cookies(name);
  }

  @Override
  public Optional<String> form(String name) {
    return request.form(name);
  }

  @Override
  public Optional<String> json(String pointer) {
    return request.json(pointer);
  }

  @Override
  public Optional<String> jsonNumber(String pointer) {
    return request.jsonNumber(pointer);
  }

  @Override
  public Optional<String> parameter(String name) {
    return request.parameter(name);
  }

  @Override
  public boolean isJoined(String text) {
    return request.isJoined(text);
  }

  @Override
  public Optional<String> user() {
    return request.user();
  }

  @Override
  public Optional<String> issuer() {
    return request.issuer();
  }

  @Override
  public Optional<String> peer() {
    return request.peer();
  }

  @Override
  public Optional<String> address() {
    return request.address();
  }

  @Override
  public OptionalLong cost() {
    return request.cost();
  }

  @Override
  public OptionalDouble load() {
    return request.load();
  }

  @Override
  public Optional<String> tier() {
    return request.tier();
  }
}
