package io.weir.spring.method;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidPolicyException;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.aspectj.RateLimitAspect;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import kotlin.coroutines.Continuation;
import kotlinx.coroutines.flow.Flow;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.annotation.AliasFor;

/** Limits that no proxy can enforce, refused at the start by name. */
@EnabledIf("io.weir.spring.BootOfToday#isOneOfTwo")
class MethodCheckTest {
  static class Private {
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    private void send() {}

    void use() {
      send();
    }
  }

  static class Static {
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    static void send() {}
  }

  static class Final {
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public final void send() {}
  }

  interface Api {
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    void call();
  }

  static class FinalByInterface implements Api {
    @Override
    public final void call() {}
  }

  static final class FinalClass implements Api {
    @Override
    public void call() {}
  }

  @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
  static class FinalInLimitedClass {
    public final void send() {}
  }

  static class Suspending {
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public @Nullable Object send(String text, Continuation<String> rest) {
      return null;
    }
  }

  static class Flowing {
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public @Nullable Flow<String> send() {
      return null;
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Making {
    @Bean
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public String text() {
      return "text";
    }
  }

  static class Missing {
    @RateLimit(limit = 2, window = 3600, by = By.KEY, key = "param:phone", name = "missing")
    public void send(String number) {}
  }

  @Retention(RetentionPolicy.RUNTIME)
  @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
  @interface Aliased {
    @AliasFor(annotation = RateLimit.class, attribute = "limit")
    long value();
  }

  static class WithAlias {
    @Aliased(5)
    public void send() {}
  }

  static class Wrong {
    @RateLimit(limit = 0, window = 3600)
    public void send() {}
  }

  @Test
  void allThatNoProxyCanLimitIsRefusedByNameInOneMessage() {
    List<Class<?>> types =
        List.of(
            Private.class,
            Static.class,
            Final.class,
            FinalByInterface.class,
            FinalClass.class,
            FinalInLimitedClass.class,
            Suspending.class,
            Flowing.class,
            Making.class,
            Missing.class,
            WithAlias.class,
            Wrong.class);

    String message = refusal(Contexts.with(types.toArray(Class<?>[]::new)));

    assertTrue(message.startsWith("12 mistakes in rate limits:"), message);
    assertLine(
        message, "Private#send has a limit, but is private: a proxy can't intercept its calls");
    assertLine(message, "Static#send has a limit, but is static");
    assertLine(message, "Final#send has a limit, but is final");
    assertLine(message, "FinalByInterface#call has a limit, but is final");
    assertLine(message, "FinalClass has limits, but is final");
    assertLine(message, "FinalInLimitedClass#send has a limit, but is final");
    assertLine(
        message,
        "Suspending#send has a limit, but is a suspend function, whose end Spring's proxies see"
            + " only with org.jetbrains.kotlinx:kotlinx-coroutines-reactor");
    assertLine(message, "Flowing#send has a limit, but returns a Flow");
    assertLine(message, "Making#text creates a bean");
    assertLine(message, "Missing#send: key = param:phone: the method has no such parameter");
    assertLine(message, "Aliased#value: must not be an alias");
    assertLine(message, "Wrong#send: limit = 0: must be");
  }

  static final class Gone {}

  static class WithMissingType {
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public void send() {}

    public @Nullable Gone gone() {
      return null;
    }
  }

  /** Loads one class again, without a type that its methods name. */
  private static final class LoaderWithoutType extends ClassLoader {
    LoaderWithoutType() {
      super(MethodCheckTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.equals(Gone.class.getName())) {
        throw new ClassNotFoundException(name);
      }
      if (!name.equals(WithMissingType.class.getName())) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null) {
        return loaded;
      }
      byte[] file = ClassFiles.read(name, getParent()).orElseThrow();
      return defineClass(name, file, 0, file.length);
    }
  }

  @Test
  void aClassThatCannotBeReadIsReadOnce() throws Exception {
    Object bean =
        BeanUtils.instantiateClass(
            new LoaderWithoutType().loadClass(WithMissingType.class.getName()));
    Contexts.with()
        .run(
            context -> {
              MethodLimitCheck check =
                  new MethodLimitCheck(
                      context.getBeanFactory(), context.getBean(RateLimitAdvisor.class));
              check.checkAll();
              try (CapturedLog log = CapturedLog.of("io.weir.spring.method")) {
                check.check(bean, "first");
                int read = log.messages().size();
                assertTrue(read > 0, "it can't be read");
                check.check(bean, "second");
                assertEquals(read, log.messages().size(), () -> log.messages().toString());
              }
            });
  }

  @Test
  void lazyBeansAreCheckedAtTheStartToo() {
    String message =
        refusal(
            Contexts.with(Private.class)
                .withInitializer(
                    context ->
                        context.addBeanFactoryPostProcessor(
                            new LazyInitializationBeanFactoryPostProcessor())));
    assertLine(message, "Private#send has a limit, but is private");
  }

  @Test
  void byInterfaceFinalIsNoMatterButTheInterfaceMustHaveTheMethod() {
    Contexts.byInterface(FinalByInterface.class, FinalClass.class)
        .run(
            context -> {
              assertNull(context.getStartupFailure());
              List<Api> both = List.copyOf(context.getBeansOfType(Api.class).values());
              assertEquals(1, Contexts.admitted(1, both.get(0)::call));
              assertEquals(1, Contexts.admitted(4, both.get(1)::call), "one bucket for both");
            });
    String message = refusal(Contexts.byInterface(OnlyInClass.class));
    assertLine(message, "OnlyInClass#extra has a limit, but isn't in an interface of its class");
  }

  static class OnlyInClass implements Api {
    @Override
    public void call() {}

    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public void extra() {}
  }

  static class Selfish {
    private final Supplier<Selfish> proxy;

    Selfish(ObjectProvider<Selfish> proxy) {
      this.proxy = proxy::getObject;
    }

    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public String send(String to, long times) {
      return to + times;
    }

    public String directly(boolean twice) {
      return "" + send(twice ? "a" : "b", twice ? 2L : 1L);
    }

    public String throughTheProxy() {
      return proxy.get().send("a", 1);
    }
  }

  static class InLambda {
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public void send() {}

    public Runnable lambda() {
      return () -> send();
    }
  }

  static class ByReference {
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public void send() {}

    public Runnable reference() {
      return this::send;
    }
  }

  static class ByVariable {
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public void send() {}

    public void variable() {
      ByVariable self = this;
      self.send();
    }
  }

  abstract static class Template<T> {
    public void all(T one) {
      each(one);
    }

    public abstract void each(T one);
  }

  static class FromTemplate extends Template<String> {
    @Override
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public void each(String one) {}
  }

  static class Fine {
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public void send() {
      work();
    }

    public void other(Fine another) {
      another.send();
      work();
    }

    private void work() {}
  }

  static class FineHeir extends Fine {
    @Override
    public void send() {
      super.send();
    }
  }

  @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
  static class FineClass {
    public void one() {
      two();
    }

    public void two() {}
  }

  @Test
  void callsOnThisAreRefusedByTheNameOfTheCaller() {
    String message =
        refusal(
            Contexts.with(
                Selfish.class,
                InLambda.class,
                ByReference.class,
                ByVariable.class,
                FromTemplate.class,
                Fine.class,
                FineHeir.class,
                FineClass.class));

    assertTrue(message.startsWith("5 mistakes in rate limits:"), message);
    assertLine(message, "Selfish#send has a limit, but " + Selfish.class.getName() + "#directly");
    assertFalse(message.contains("throughTheProxy"), message);
    assertLine(
        message, "InLambda#send has a limit, but " + InLambda.class.getName() + "#lambda calls");
    assertLine(message, "ByReference#send has a limit, but");
    assertLine(message, "ByVariable#send has a limit, but");
    assertLine(message, "FromTemplate#each has a limit, but " + Template.class.getName() + "#all");
  }

  /** Shaped as AspectJ leaves a class that it has woven with Weir's aspect. */
  static class Woven {
    static final Class<?> ASPECT = RateLimitAspect.class;

    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    private void send() {
      send_aroundBody0(this);
    }

    static void send_aroundBody0(Woven woven) {}

    public void use() {
      send();
    }
  }

  @Test
  void wovenMethodsNeedNoProxy() {
    Contexts.with(Woven.class).run(context -> assertNull(context.getStartupFailure()));
  }

  @Configuration(proxyBeanMethods = false)
  static class Hiding {
    @Bean
    @Scope("prototype")
    Api hidden() {
      return new Wider();
    }
  }

  static class Wider implements Api {
    @Override
    public void call() {}

    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    private void secret() {}

    void use() {
      secret();
    }
  }

  @Test
  void aClassThatShowsLaterIsCheckedWhenItsBeanIsMade() {
    Contexts.with(Hiding.class)
        .run(
            context -> {
              assertNull(context.getStartupFailure());
              Exception refused = assertThrows(Exception.class, () -> context.getBean(Api.class));
              assertTrue(
                  causes(refused).anyMatch(InvalidPolicyException.class::isInstance),
                  refused::toString);
            });
  }

  static class EarlyBird implements BeanPostProcessor, PriorityOrdered {
    @Override
    public int getOrder() {
      return HIGHEST_PRECEDENCE;
    }

    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public void send() {}
  }

  @Test
  void beansThatAreMadeTooEarlyAreWarnedOfByName() {
    try (CapturedLog log = CapturedLog.of("io.weir.spring.method")) {
      Contexts.with(EarlyBird.class)
          .run(context -> assertNotNull(context.getBean(EarlyBird.class)));

      assertTrue(
          log.messages().stream()
              .anyMatch(
                  each ->
                      each.contains(EarlyBird.class.getName() + "#send")
                          && each.contains("aren't limited")),
          () -> log.messages().toString());
    }
  }

  private static String refusal(ApplicationContextRunner application) {
    String[] message = new String[1];
    application.run(
        context -> {
          Throwable failure = context.getStartupFailure();
          assertNotNull(failure, "it has started");
          Optional<Throwable> invalid =
              causes(failure).filter(InvalidPolicyException.class::isInstance).findFirst();
          assertTrue(invalid.isPresent(), failure::toString);
          message[0] = invalid.get().getMessage();
        });
    return message[0];
  }

  private static Stream<Throwable> causes(Throwable failure) {
    return Stream.iterate(failure, each -> each != null, Throwable::getCause);
  }

  private static void assertLine(String message, String part) {
    assertTrue(message.lines().anyMatch(each -> each.contains(part)), part + " in " + message);
  }
}
