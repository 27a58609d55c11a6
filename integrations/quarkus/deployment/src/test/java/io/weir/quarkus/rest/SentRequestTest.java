package io.weir.quarkus.rest;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.vertx.core.MultiMap;
import io.vertx.core.http.impl.headers.HeadersMultiMap;
import io.weir.adapter.BodyReader;
import io.weir.adapter.ReadBody;
import java.lang.management.ManagementFactory;
import java.security.Principal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class SentRequestTest {
  private static final int LINES = 20;

  private final LimitedResource resource = resource();
  private final MultiMap fields = HeadersMultiMap.httpHeaders();
  private final MultiMap query = MultiMap.caseInsensitiveMultiMap();
  private final View view = new View("GET", "/tea", fields, query);

  private static LimitedResource resource() {
    return new LimitedResource(
        String.class, String.class.getMethods()[0], "/tea", "GET", null, null);
  }

  private record View(String method, String path, MultiMap lines, MultiMap parameters)
      implements RequestView {
    @Override
    public void eachField(BiConsumer<String, String> line) {
      lines.forEach(line);
    }

    @Override
    public void eachQuery(BiConsumer<String, String> parameter) {
      parameters.forEach(parameter);
    }

    @Override
    public List<String> headers(String name) {
      return lines.getAll(name);
    }

    @Override
    public List<String> queries(String name) {
      return parameters.getAll(name);
    }

    @Override
    public Optional<String> variable(String name) {
      return Optional.empty();
    }

    @Override
    public CompletionStage<Principal> user() {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public Optional<ReadBody> readBody(BodyReader reader) {
      return Optional.empty();
    }

    @Override
    public boolean hasStill(ReadBody body) {
      return true;
    }

    @Override
    public void show(ReadBody body) {}
  }

  private SentRequest sent() {
    return SentRequest.of(resource, view, true);
  }

  private boolean isStill(SentRequest before) {
    return before.isSame(resource, view, true);
  }

  @Test
  void isTheSameUntilAFilterChangesIt() {
    fields.add("A", "1").add("A", "2").add("B", "3");
    query.add("q", "tea");
    SentRequest before = sent();
    assertTrue(isStill(before));
    fields.add("c", "4");
    assertFalse(isStill(before), "a field more");
    fields.remove("c");
    assertTrue(isStill(before));
    fields.remove("B");
    assertFalse(isStill(before), "a field less");
    fields.add("B", "5");
    assertFalse(isStill(before), "another value");
    fields.set("B", "3");
    query.add("q", "milk");
    assertFalse(isStill(before), "a parameter more");
    query.set("q", "tea");
    assertTrue(isStill(before));
    query.remove("q");
    assertFalse(isStill(before), "no parameter");
  }

  @Test
  void isAnotherByMethodPathAndResource() {
    SentRequest before = sent();
    assertFalse(before.isSame(resource, new View("POST", "/tea", fields, query), true));
    assertFalse(before.isSame(resource, new View("GET", "/milk", fields, query), true));
    assertFalse(before.isSame(resource(), view, true));
  }

  @Test
  void theOrderOfNamesAndTheirCaseDoNotMatterButThatOfValuesDoes() {
    fields.add("A", "1").add("A", "2").add("B", "3");
    SentRequest before = sent();
    fields.clear().add("b", "3").add("a", "1").add("A", "2");
    assertTrue(isStill(before));
    fields.clear().add("B", "3").add("A", "2").add("A", "1");
    assertFalse(isStill(before));
    fields.clear().add("A", "1").add("A", "2").add("A", "3");
    assertFalse(isStill(before));
  }

  @Test
  void valuesThatNothingLimitsByAreLeftOut() {
    SentRequest before = SentRequest.of(resource, view, false);
    fields.add("A", "1");
    assertTrue(before.isSame(resource, view, false));
  }

  /** A copy of the lines by their names would take twice as much and more. */
  @Test
  void comparesWithoutACopy() {
    for (int i = 0; i < LINES; i++) {
      fields.add("name" + i, "value");
    }
    SentRequest before = sent();
    long bytes = allocated(() -> isStill(before));
    assertTrue(bytes < LINES * 64, bytes + " B");
  }

  private static long allocated(BooleanSupplier comparison) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 20; i++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      assertTrue(comparison.getAsBoolean());
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    return least;
  }
}
