package io.weir.spring.method;

import static io.weir.spring.method.Contexts.admitted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Unlimited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.ProxyFactoryBean;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.CustomScopeConfigurer;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.SimpleThreadScope;

/** Beans of all kinds, each limited to two calls, called four times. */
@EnabledIf("io.weir.spring.BootOfToday#isOneOfTwo")
class BeanLimitTest {
  interface Mail {
    String send(String to);
  }

  static class Mailer implements Mail {
    @Override
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public String send(String to) {
      return "sent to " + to;
    }

    public String free() {
      return "free";
    }
  }

  interface LimitedMail {
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    String send(String to);
  }

  static class PlainMailer implements LimitedMail {
    @Override
    public String send(String to) {
      return "sent to " + to;
    }
  }

  static class Untouched {
    public void work() {}
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({Mailer.class, Untouched.class})
  static class Application {}

  @Test
  void inAnApplicationOfSpringBootABeanAdmitsItsLimit() {
    try (ConfigurableApplicationContext context =
        new SpringApplicationBuilder(Application.class)
            .web(WebApplicationType.NONE)
            .properties("spring.main.banner-mode=off")
            .run()) {
      Mailer mailer = context.getBean(Mailer.class);

      assertEquals(2, admitted(4, () -> mailer.send("a")));
      assertEquals(4, admitted(4, mailer::free));
      assertFalse(AopUtils.isAopProxy(context.getBean(Untouched.class)));
    }
  }

  @Test
  void theLimitOfAClassHoldsByEachKindOfProxy() {
    Contexts.with(Mailer.class)
        .run(
            context -> {
              assertTrue(AopUtils.isCglibProxy(context.getBean(Mail.class)));
              assertEquals(2, calls(context, Mail.class));
            });
    Contexts.byInterface(Mailer.class)
        .run(
            context -> {
              assertTrue(AopUtils.isJdkDynamicProxy(context.getBean(Mail.class)));
              assertEquals(2, calls(context, Mail.class));
            });
  }

  private static int calls(ApplicationContext context, Class<? extends Mail> type) {
    Mail bean = context.getBean(type);
    return admitted(4, () -> bean.send("a"));
  }

  @Test
  void theLimitOfAnInterfaceHoldsByEachKindOfProxy() {
    Contexts.with(PlainMailer.class)
        .run(
            context -> {
              PlainMailer bean = context.getBean(PlainMailer.class);
              assertEquals(2, admitted(4, () -> bean.send("a")));
            });
    Contexts.byInterface(PlainMailer.class)
        .run(
            context -> {
              LimitedMail bean = context.getBean(LimitedMail.class);
              assertEquals(2, admitted(4, () -> bean.send("a")));
            });
  }

  @Test
  void withoutAutoProxyingOfSpringBootABeanIsLimitedToo() {
    Contexts.with(Mailer.class)
        .withPropertyValues("spring.aop.auto=false")
        .run(context -> assertEquals(2, calls(context, Mail.class)));
  }

  static class Base {
    public void inherited() {}
  }

  @RateLimit(limit = 3, window = 3600, by = By.ENDPOINT)
  static class Whole extends Base implements InitializingBean, AutoCloseable {
    private String phone = "";
    String password = "";

    public void one() {}

    public void two() {}

    @RateLimit(limit = 1, window = 3600, by = By.ENDPOINT)
    public void own() {}

    @Unlimited
    public void exempt() {}

    public void setPhone(String to) {
      phone = to;
    }

    public void setPassword(int user) {
      password = phone + user;
    }

    @Autowired
    public void use(ApplicationContext context) {}

    @Value("x")
    public void text(String text) {}

    @Override
    public void afterPropertiesSet() {}

    @Override
    public void close() {}

    void hidden() {}

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return 1;
    }

    @Override
    public String toString() {
      return "whole";
    }
  }

  @Test
  void theLimitOfAClassCountsItsPublicMethodsTogether() {
    Contexts.with(Whole.class)
        .run(
            context -> {
              Whole bean = context.getBean(Whole.class);
              assertEquals(4, admitted(4, bean::exempt));
              assertEquals(4, admitted(4, bean::hidden));
              assertEquals(4, admitted(4, bean::toString));
              assertEquals(4, admitted(4, bean::hashCode));
              assertEquals(4, admitted(4, () -> bean.equals(context)));
              assertEquals(4, admitted(4, () -> bean.setPhone("1")));
              assertEquals(4, admitted(4, () -> bean.use(context)));
              assertEquals(4, admitted(4, () -> bean.text("1")));
              assertEquals(4, admitted(4, bean::afterPropertiesSet));
              assertEquals(4, admitted(4, bean::close));
              assertEquals(1, admitted(4, bean::own));

              assertEquals(1, admitted(1, bean::one));
              assertEquals(1, admitted(1, bean::inherited));
              assertEquals(1, admitted(4, bean::two));
              assertEquals(4, admitted(4, () -> bean.setPassword(1)), "a setter, as in woven code");
            });
  }

  @Retention(RetentionPolicy.RUNTIME)
  @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
  @interface Twice {}

  @Retention(RetentionPolicy.RUNTIME)
  @Twice
  @interface TwiceComposed {}

  static class Composed {
    @TwiceComposed
    public void work() {}
  }

  static class Heir extends Composed {
    @Override
    public void work() {
      super.work();
    }
  }

  @Test
  void composedAndInheritedLimitsHold() {
    Contexts.with(Composed.class)
        .run(
            context -> {
              Composed bean = context.getBean(Composed.class);
              assertEquals(2, admitted(4, bean::work));
            });
    Contexts.with(Heir.class)
        .run(
            context -> {
              Heir bean = context.getBean(Heir.class);
              assertEquals(2, admitted(4, bean::work));
            });
  }

  static class HiddenMailer {
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public String send(String to) {
      return "sent to " + to;
    }

    public String again(String to) {
      return "again to " + to;
    }
  }

  /** The compiler repeats public methods here, since their class isn't public. */
  public static class OpenMailer extends HiddenMailer {}

  public static class OpenMail extends HiddenMailer implements Mail {}

  @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
  public static class LimitedOpenMailer extends HiddenMailer {}

  @Test
  void theLimitOfAMethodThatTheCompilerRepeatsHoldsByEachKindOfProxy() throws Exception {
    assertTrue(OpenMailer.class.getDeclaredMethod("send", String.class).isBridge());
    Contexts.with(OpenMailer.class)
        .run(
            context -> {
              OpenMailer bean = context.getBean(OpenMailer.class);
              assertEquals(2, admitted(4, () -> bean.send("a")));
              assertEquals(4, admitted(4, () -> bean.again("a")));
            });
    Contexts.with(OpenMailer.class)
        .run(
            context -> {
              HiddenMailer bean = context.getBean(OpenMailer.class);
              assertEquals(2, admitted(4, () -> bean.send("a")), "by the class that declares it");
            });
    Contexts.with(OpenMail.class).run(context -> assertEquals(2, calls(context, Mail.class)));
    Contexts.byInterface(OpenMail.class)
        .run(
            context -> {
              assertTrue(AopUtils.isJdkDynamicProxy(context.getBean(Mail.class)));
              assertEquals(2, calls(context, Mail.class));
            });
    Contexts.with(LimitedOpenMailer.class)
        .run(
            context -> {
              LimitedOpenMailer bean = context.getBean(LimitedOpenMailer.class);
              assertEquals(2, admitted(4, () -> bean.again("a")), "by the limit of the class");
            });
  }

  interface Box<T> {
    void put(T content);
  }

  abstract static class LimitedBox<T> implements Box<T> {
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    @Override
    public abstract void put(T content);
  }

  static class TextBox extends LimitedBox<String> {
    @Override
    public void put(String content) {}
  }

  static class OwnBox implements Box<String> {
    @Override
    @RateLimit(limit = 2, window = 3600, by = By.KEY, key = "param:content")
    public void put(String content) {}
  }

  @Test
  @SuppressWarnings("unchecked") // the bean is found by its raw class
  void genericMethodsAndBridgesAreLimited() {
    Contexts.with(TextBox.class)
        .run(
            context -> {
              Box<String> bean = context.getBean(TextBox.class);
              assertEquals(2, admitted(4, () -> bean.put("a")));
            });
    for (var runner :
        new Object[] {Contexts.with(OwnBox.class), Contexts.byInterface(OwnBox.class)}) {
      ((org.springframework.boot.test.context.runner.ApplicationContextRunner) runner)
          .run(
              context -> {
                Box<String> bean = (Box<String>) context.getBean(Box.class);
                assertEquals(2, admitted(4, () -> bean.put("a")));
                assertEquals(2, admitted(4, () -> bean.put("b")), "another key");
              });
    }
  }

  static class Narrow {
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    void hidden() {}

    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    protected void guarded() {}
  }

  @Test
  void methodsThatAreNotPublicAreLimitedByAClassProxy() {
    Contexts.with(Narrow.class)
        .run(
            context -> {
              Narrow bean = context.getBean(Narrow.class);
              assertEquals(2, admitted(4, bean::hidden));
              assertEquals(2, admitted(4, bean::guarded));
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class Factories {
    /** The class doesn't show in the method. */
    @Bean
    Mail mail() {
      return new Mailer();
    }

    @Bean
    FactoryBean<LimitedMail> factory() {
      return new FactoryBean<>() {
        @Override
        public LimitedMail getObject() {
          return new PlainMailer();
        }

        @Override
        public Class<?> getObjectType() {
          return LimitedMail.class;
        }
      };
    }
  }

  @Test
  void beansOfFactoriesAreLimited() {
    Contexts.with(Factories.class)
        .run(
            context -> {
              assertEquals(2, calls(context, Mail.class));
              LimitedMail made = context.getBean(LimitedMail.class);
              assertEquals(2, admitted(4, () -> made.send("a")));
            });
  }

  interface Repository extends Mail {
    @Override
    @RateLimit(limit = 2, window = 3600, by = By.KEY, key = "param:to")
    String send(String to);

    String free(String to);
  }

  @FunctionalInterface
  interface LimitedOperator extends UnaryOperator<String> {
    @Override
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    String apply(String text);
  }

  @Configuration(proxyBeanMethods = false)
  static class Generated {
    /** As repositories and HTTP clients are made. */
    @Bean
    Repository repository() {
      return (Repository)
          Proxy.newProxyInstance(
              Repository.class.getClassLoader(),
              new Class<?>[] {Repository.class},
              (proxy, method, arguments) ->
                  method.getName().equals("toString") ? "proxy" : "answer");
    }

    @Bean
    LimitedOperator lambda() {
      return text -> text;
    }
  }

  @Test
  void proxiesAndLambdasAreLimitedByTheirInterfaces() {
    Contexts.with(Generated.class)
        .run(
            context -> {
              Repository repository = context.getBean(Repository.class);
              assertEquals(2, admitted(4, () -> repository.send("a")));
              assertEquals(2, admitted(4, () -> repository.send("b")));
              assertEquals(4, admitted(4, () -> repository.free("a")));
              LimitedOperator lambda = context.getBean(LimitedOperator.class);
              assertEquals(2, admitted(4, () -> lambda.apply("a")));
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class Scoped {
    @Bean
    static CustomScopeConfigurer scopes() {
      CustomScopeConfigurer scopes = new CustomScopeConfigurer();
      scopes.addScope("thread", new SimpleThreadScope());
      return scopes;
    }

    @Bean
    @Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
    Mailer byClass() {
      return new Mailer();
    }

    @Bean
    @Scope(scopeName = "thread", proxyMode = ScopedProxyMode.INTERFACES)
    LimitedMail byInterface() {
      return new PlainMailer();
    }
  }

  @Test
  void scopedBeansAreLimitedOnce() {
    Contexts.with(Scoped.class)
        .run(
            context -> {
              Mailer byClass = context.getBean("byClass", Mailer.class);
              assertEquals(2, admitted(4, () -> byClass.send("a")));
              LimitedMail byInterface = context.getBean("byInterface", LimitedMail.class);
              assertEquals(2, admitted(4, () -> byInterface.send("a")));
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class Late {
    @Bean
    @Lazy
    Mailer lazy() {
      return new Mailer();
    }

    @Bean
    @Scope("prototype")
    PlainMailer prototype() {
      return new PlainMailer();
    }
  }

  @Test
  void lazyBeansAndAllInstancesOfAPrototypeAreLimited() {
    Contexts.with(Late.class)
        .run(
            context -> {
              assertEquals(2, calls(context, Mailer.class));
              assertEquals(
                  2,
                  admitted(4, () -> context.getBean(PlainMailer.class).send("a")),
                  "one bucket for all");
            });
  }

  @Configuration(proxyBeanMethods = false)
  @Import(Mailer.class)
  static class TwoCreators {
    @Bean
    static DefaultAdvisorAutoProxyCreator another() {
      return new DefaultAdvisorAutoProxyCreator();
    }
  }

  @Test
  void twoProxiesOfOneBeanChargeOnce() {
    Contexts.with(TwoCreators.class)
        .run(
            context -> {
              assertTrue(context.containsBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME));
              assertEquals(2, calls(context, Mail.class));
            });
  }

  static class WithoutInterface {
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public void work() {}
  }

  @Test
  void aBeanWithTwoProxiesStaysOfItsClass() {
    Contexts.with(TwoCreators.class, WithoutInterface.class)
        .run(
            context -> {
              assertEquals(2, calls(context, Mailer.class));
              assertEquals(2, admitted(4, context.getBean(WithoutInterface.class)::work));
            });
  }

  @Test
  void aBeanWithoutInterfacesStaysOfItsClassWhereInterfacesAreProxied() {
    Contexts.byInterface(TwoCreators.class, WithoutInterface.class)
        .run(
            context -> {
              assertFalse(context.getBean(Mail.class) instanceof Mailer);
              assertEquals(2, calls(context, Mail.class));
              assertEquals(2, admitted(4, context.getBean(WithoutInterface.class)::work));
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class ProxyOfABean {
    @Bean
    Mailer mailer() {
      return new Mailer();
    }

    @Bean
    ProxyFactoryBean proxy(Mailer mailer) throws ClassNotFoundException {
      ProxyFactoryBean proxy = new ProxyFactoryBean();
      proxy.setInterfaces(Mail.class);
      proxy.setTarget(mailer);
      return proxy;
    }
  }

  @Test
  void aProxyOfALimitedBeanChargesOnce() {
    Contexts.with(ProxyOfABean.class)
        .run(
            context -> {
              Mail proxy = context.getBean("proxy", Mail.class);
              assertEquals(2, admitted(4, () -> proxy.send("a")));
            });
  }

  @Test
  void twoContextsInOneClassLoaderShareNothing() {
    Contexts.with(Mailer.class)
        .run(
            first ->
                Contexts.with(Mailer.class)
                    .run(
                        second -> {
                          assertEquals(2, calls(first, Mail.class));
                          assertEquals(2, calls(second, Mail.class));
                        }));
  }

  static class Caller {
    static final AtomicInteger ADMITTED = new AtomicInteger();

    Caller(Mail mail) {
      ADMITTED.set(admitted(4, () -> mail.send("a")));
    }
  }

  @Test
  void callsDuringTheStartCount() {
    Contexts.with(Caller.class, Mailer.class)
        .run(
            context -> {
              assertEquals(2, Caller.ADMITTED.get());
              assertEquals(0, calls(context, Mail.class));
            });
  }

  static class First {
    @Autowired Second second;

    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public void work() {}
  }

  static class Second {
    @Autowired First first;

    void use() {
      first.work();
    }
  }

  @Test
  void beansThatNeedEachOtherAreLimited() {
    Contexts.with(First.class, Second.class)
        .withAllowCircularReferences(true)
        .run(
            context -> {
              Second second = context.getBean(Second.class);
              assertEquals(2, admitted(4, second::use));
            });
  }

  static class Listener {
    @EventListener
    @RateLimit(limit = 2, window = 3600, by = By.KEY, key = "param:event")
    public void on(String event) {}
  }

  @Test
  void listenersAreLimitedByWhatTheyGet() {
    Contexts.with(Listener.class)
        .run(
            context -> {
              assertEquals(2, admitted(4, () -> context.publishEvent("a")));
              assertEquals(2, admitted(4, () -> context.publishEvent("b")));
            });
  }

  @Test
  void aClosedContextLimitsNothing() {
    Mail[] kept = new Mail[1];
    Contexts.with(Mailer.class).run(context -> kept[0] = context.getBean(Mail.class));

    assertEquals(4, admitted(4, () -> kept[0].send("a")));
  }

  @Test
  void settingsChangeTheLimitOfABean() {
    System.setProperty("weir.policy.Mailer.send.limit", "3");
    try {
      Contexts.with(Mailer.class).run(context -> assertEquals(3, calls(context, Mail.class)));
    } finally {
      System.clearProperty("weir.policy.Mailer.send.limit");
    }
  }
}
