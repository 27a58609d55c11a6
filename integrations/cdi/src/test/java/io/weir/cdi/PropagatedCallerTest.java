package io.weir.cdi;

import static io.weir.cdi.Beans.admitted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.adapter.Adapter;
import io.weir.adapter.AdapterOptions;
import io.weir.adapter.LimitedCall;
import io.weir.adapter.LimitedRequest;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.testkit.FakeRequest;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.eclipse.microprofile.context.ThreadContext;
import org.junit.jupiter.api.Test;

/** The caller of a request in threads to which MicroProfile Context Propagation takes its work. */
class PropagatedCallerTest {
  @ApplicationScoped
  static class Mailer {
    @RateLimit(limit = 2, window = 3600, by = By.IP)
    public void send() {}
  }

  @Test
  void aTaskKnowsTheCallerOfTheThreadThatMadeIt() throws Exception {
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try (Beans beans = Beans.of(Mailer.class);
        Adapter adapter = Weir.adapter(AdapterOptions.defaults())) {
      Mailer mailer = beans.get(Mailer.class);
      ThreadContext contexts = ThreadContext.builder().build();
      Callable<Integer> ofNobody = contexts.contextualCallable(() -> admitted(4, mailer::send));
      for (String address : List.of("192.0.2.1", "192.0.2.2")) {
        LimitedRequest request = adapter.begin(FakeRequest.from(address).method("GET"), null);
        Callable<Integer> task;
        try (LimitedRequest.Binding unused = request.bind(null)) {
          task = contexts.contextualCallable(() -> admitted(4, mailer::send));
        }
        assertEquals(2, threads.submit(task).get(), address);
        assertTrue(threads.submit(adapter::currentRequest).get().isEmpty(), "unbound afterwards");
        try (LimitedRequest.Binding unused = request.bind(null)) {
          int made = ofNobody.call();
          assertEquals(address.endsWith("1") ? 2 : 0, made, "a call without a caller");
        }
      }
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void aTaskKnowsTheCallerWhereNoContainerIs() throws Exception {
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try (Adapter adapter = Weir.adapter(AdapterOptions.defaults())) {
      LimitedRequest request = adapter.begin(FakeRequest.from("192.0.2.1").method("GET"), null);
      Callable<Optional<LimitedRequest>> task;
      try (LimitedRequest.Binding unused = request.bind(null)) {
        task = ThreadContext.builder().build().contextualCallable(LimitedCall::currentRequest);
      }
      assertEquals(Optional.of(request), threads.submit(task).get());
    } finally {
      threads.shutdown();
    }
  }
}
