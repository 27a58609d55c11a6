package io.weir.spring.method;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Weir;
import io.weir.adapter.Adapter;
import io.weir.adapter.AdapterOptions;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/** Calls limited methods while the application ends. */
class AdviceEndTest {
  static class Service {
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public String work() {
      return "done";
    }
  }

  /** Makes a call during which the application ends, once the advice is about to limit it. */
  private static ProxyMethodInvocation endingCall(RateLimitAdvice advice) {
    Service target = new Service();
    return (ProxyMethodInvocation)
        Proxy.newProxyInstance(
            AdviceEndTest.class.getClassLoader(),
            new Class<?>[] {ProxyMethodInvocation.class},
            (proxy, asked, arguments) ->
                switch (asked.getName()) {
                  case "getThis" -> target;
                  case "getMethod" -> {
                    advice.release();
                    yield BeanMethods.of(Service.class, "work");
                  }
                  case "getArguments" -> new Object[0];
                  case "proceed" -> target.work();
                  case "invocableClone" -> proxy;
                  default -> throw new UnsupportedOperationException(asked.getName());
                });
  }

  @Test
  void aCallThatHasBegunReturns() throws Throwable {
    try (Weir weir = Weir.builder().onlyGivenSettings().build();
        Adapter adapter = Weir.adapter(AdapterOptions.defaults().withWeir(weir))) {
      DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
      beans.registerSingleton("adapter", adapter);
      RateLimitAdvice advice = new RateLimitAdvice(beans.getBeanProvider(Adapter.class));
      assertEquals("done", advice.invoke(endingCall(advice)));
      for (int i = 0; i < 3; i++) {
        assertEquals("done", advice.invoke(endingCall(advice)), "nothing limits it any more");
      }
    }
  }
}
