package io.weir.cdi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Unlimited;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.Priority;
import jakarta.decorator.Decorator;
import jakarta.decorator.Delegate;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.literal.NamedLiteral;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InterceptorBinding;
import jakarta.interceptor.InvocationContext;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Limits that the container can't enforce, each refused by name when the application starts. */
class RefusedBeanTest {
  @Singleton
  static class Private {
    @RateLimit(limit = 1, window = 3600)
    private void secret() {}

    void call() {
      secret();
    }
  }

  @Singleton
  static class Static {
    @RateLimit(limit = 1, window = 3600)
    public static void shared() {}
  }

  @Singleton
  static class FinalMethod {
    @RateLimit(limit = 1, window = 3600)
    public final void fixed() {}
  }

  @Dependent
  @RateLimit(limit = 1, window = 3600)
  static class FinalOfClass {
    public final void fixed() {}
  }

  @Dependent
  static final class FinalClass {
    @RateLimit(limit = 1, window = 3600)
    public void call() {}
  }

  @ApplicationScoped
  static class Producer {
    @Produces
    @RateLimit(limit = 1, window = 3600)
    public StringBuilder make() {
      return new StringBuilder();
    }
  }

  @ApplicationScoped
  static class Callback {
    @PostConstruct
    @RateLimit(limit = 1, window = 3600)
    void start() {}
  }

  @ApplicationScoped
  static class Published {
    @RateLimit(limit = 1, window = 3600)
    public Subtype publisher() {
      return null;
    }
  }

  interface Subtype extends Flow.Publisher<String> {}

  @ApplicationScoped
  static class SelfCaller {
    @RateLimit(limit = 1, window = 3600)
    public void limited() {}

    public void plain() {
      Runnable later = () -> limited();
      later.run();
    }
  }

  static class Handmade {
    @RateLimit(limit = 1, window = 3600)
    public void call() {}

    Handmade(String from) {}
  }

  @Singleton
  static class Maker {
    @Produces
    public Handmade make() {
      return new Handmade("hand");
    }
  }

  @Singleton
  static class FieldMaker {
    @Produces Handmade made = new Handmade("hand");
  }

  interface Mail {
    void send();
  }

  @Decorator
  @Priority(1)
  static class Decorating implements Mail {
    @Inject @Delegate Mail mail;

    @Override
    @RateLimit(limit = 1, window = 3600)
    public void send() {
      mail.send();
    }
  }

  @InterceptorBinding
  @Retention(RetentionPolicy.RUNTIME)
  @interface Logged {}

  @Logged
  @Interceptor
  @Priority(1)
  @RateLimit(limit = 1, window = 3600)
  static class Logging {
    @AroundInvoke
    Object log(InvocationContext call) throws Exception {
      return call.proceed();
    }
  }

  static class HiddenParent {
    @RateLimit(limit = 1, window = 3600)
    public void hidden() {}
  }

  /** Gets a public method from the compiler, which calls that of its superclass. */
  @ApplicationScoped
  public static class PublicChild extends HiddenParent {}

  static Stream<Arguments> refused() {
    return Stream.of(
        Arguments.of(Private.class, "Private#secret has a limit, but is private"),
        Arguments.of(Static.class, "Static#shared has a limit, but is static"),
        Arguments.of(FinalMethod.class, "FinalMethod#fixed has a limit, but is final"),
        Arguments.of(FinalOfClass.class, "FinalOfClass#fixed has a limit, but is final"),
        Arguments.of(FinalClass.class, "FinalClass has limits, but is final"),
        Arguments.of(Producer.class, "Producer#make creates or destroys a bean"),
        Arguments.of(Callback.class, "Callback#start has a limit, but is called by the container"),
        Arguments.of(SelfCaller.class, "SelfCaller#limited has a limit, but "),
        Arguments.of(Maker.class, "Handmade has limits, but its objects are made by "),
        Arguments.of(FieldMaker.class, "Handmade has limits, but its objects are made by "),
        Arguments.of(Handmade.class, "Handmade has limits, but isn't a bean"),
        Arguments.of(Decorating.class, "Decorating has limits, but runs around beans"),
        Arguments.of(Logging.class, "Logging has limits, but runs around beans"),
        Arguments.of(PublicChild.class, "HiddenParent#hidden has a limit, but its class "),
        Arguments.of(Published.class, "Published#publisher has a limit, but returns"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void whatTheContainerCantInterceptIsNamed(Class<?> bean, String mistake) {
    String message = refusal(bean);

    assertTrue(message.contains(getClass().getName() + "$" + mistake), message);
  }

  @Test
  void allMistakesAreListed() {
    String message = refusal(Private.class, Static.class);

    assertTrue(message.contains("Private#secret"), message);
    assertTrue(message.contains("Static#shared"), message);
  }

  private static String refusal(Class<?>... beans) {
    Exception refused = assertThrows(Exception.class, () -> Beans.of(beans).close());
    return refused.getMessage();
  }

  @Singleton
  static class WrongParameter {
    @RateLimit(limit = 1, window = 3600, by = By.KEY, key = "param:phone")
    public void send(String to) {}
  }

  @Test
  void mistakesInAnnotationsAreRefused() {
    String message = refusal(WrongParameter.class);

    assertTrue(message.contains("WrongParameter#send"), message);
  }

  interface Sent {
    @RateLimit(limit = 1, window = 3600, by = By.ENDPOINT)
    void send();
  }

  @Singleton
  static class Real implements Sent {
    @Override
    public void send() {}
  }

  @Singleton
  static class Chooser {
    @Produces
    @Named("chosen")
    Sent choose(Real real) {
      return real;
    }
  }

  @Test
  void aProducerMayReturnABean() throws Exception {
    try (Beans beans = Beans.of(Real.class, Chooser.class)) {
      Sent sent = beans.get(Sent.class, NamedLiteral.of("chosen"));

      assertEquals(1, Beans.admitted(4, sent::send));
    }
  }

  @ApplicationScoped
  @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
  static class UsedAsAWhole {
    @Inject UsedAsAWhole self;

    public void outer() {
      inner();
    }

    public void inner() {}

    @RateLimit(limit = 1, window = 3600, by = By.ENDPOINT)
    public void own() {}

    @Unlimited
    public void byProxy() {
      self.own();
    }
  }

  @Test
  void aLimitOfAClassCountsCallsFromOutside() throws Exception {
    try (Beans beans = Beans.of(UsedAsAWhole.class)) {
      UsedAsAWhole bean = beans.get(UsedAsAWhole.class);

      assertEquals(2, Beans.admitted(4, bean::outer));
      assertEquals(1, Beans.admitted(4, bean::byProxy));
    }
  }

  @Singleton
  static class Fine {
    private final int calls = 0;

    public final int unlimited() {
      return calls;
    }

    @RateLimit(limit = 1, window = 3600, by = By.ENDPOINT)
    public void limited(Consumer<String> any) {}
  }

  @Test
  void methodsWithoutALimitMayBeAnything() throws Exception {
    try (Beans beans = Beans.of(Fine.class)) {
      Fine bean = beans.get(Fine.class);

      assertEquals(0, bean.unlimited());
      assertEquals(1, Beans.admitted(4, () -> bean.limited(null)));
    }
  }
}
