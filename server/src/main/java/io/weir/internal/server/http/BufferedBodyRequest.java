package io.weir.internal.server.http;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request whose body is buffered. No endpoint takes forms, so it has no parameters. */
final class BufferedBodyRequest extends HttpServletRequestWrapper {
  private final ByteArrayInputStream body;
  private final int length;

  BufferedBodyRequest(HttpServletRequest request, byte[] bytes) {
    super(request);
    this.body = new ByteArrayInputStream(bytes);
    this.length = bytes.length;
  }

  @Override
  public ServletInputStream getInputStream() {
    return new Stream();
  }

  @Override
  public BufferedReader getReader() {
    return new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
  }

  @Override
  public int getContentLength() {
    return length;
  }

  @Override
  public long getContentLengthLong() {
    return length;
  }

  @Override
  public @Nullable String getParameter(String name) {
    return null;
  }

  @Override
  public String @Nullable [] getParameterValues(String name) {
    return null;
  }

  @Override
  public Enumeration<String> getParameterNames() {
    return Collections.emptyEnumeration();
  }

  @Override
  public Map<String, String[]> getParameterMap() {
    return Map.of();
  }

  private final class Stream extends ServletInputStream {
    @Override
    public int read() {
      return body.read();
    }

    @Override
    public int read(byte[] into, int from, int count) {
      return body.read(into, from, count);
    }

    @Override
    public int available() {
      return body.available();
    }

    @Override
    public boolean isFinished() {
      return body.available() == 0;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
      throw new IllegalStateException("the body is already buffered");
    }
  }
}
