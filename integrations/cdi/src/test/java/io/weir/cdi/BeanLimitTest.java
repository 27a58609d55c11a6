package io.weir.cdi;

import static io.weir.cdi.Beans.admitted;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Unlimited;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.Priority;
import jakarta.decorator.Decorator;
import jakarta.decorator.Delegate;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.context.SessionScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InterceptorBinding;
import jakarta.interceptor.InvocationContext;
import java.io.Serializable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Beans of all kinds, each limited to two calls, called four times. */
class BeanLimitTest {
  interface Mail {
    String send(String to);
  }

  @ApplicationScoped
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

  @Test
  void aBeanAdmitsItsLimit() throws Exception {
    try (Beans beans = Beans.of(Mailer.class)) {
      Mailer mailer = beans.get(Mailer.class);

      assertEquals("sent to a", mailer.send("a"));
      assertEquals(1, admitted(3, () -> mailer.send("a")));
      assertEquals(4, admitted(4, mailer::free));
    }
  }

  interface LimitedMail {
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    String send(String to);

    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    default String greet() {
      return "hello";
    }
  }

  @Singleton
  static class PlainMailer implements LimitedMail {
    @Override
    public String send(String to) {
      return "sent to " + to;
    }
  }

  @Test
  void aMethodInheritsTheLimitOfItsInterface() throws Exception {
    try (Beans beans = Beans.of(PlainMailer.class)) {
      PlainMailer mailer = beans.get(PlainMailer.class);

      assertEquals(2, admitted(4, () -> mailer.send("a")));
      assertEquals(2, admitted(4, mailer::greet));
    }
  }

  interface Box<T> {
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    void put(T thing);

    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    Object peek();
  }

  @ApplicationScoped
  static class TextBox implements Box<String> {
    private String last = "";

    @Override
    public void put(String thing) {
      last = thing;
    }

    @Override
    public String peek() {
      return last;
    }
  }

  @Dependent
  static class AnyBox extends TextBox {}

  @Test
  void aCallByABridgeOfTheCompilerCounts() throws Exception {
    for (Class<? extends TextBox> type : List.of(TextBox.class, AnyBox.class)) {
      try (Beans beans = Beans.of(type)) {
        TextBox bean = beans.get(type);
        Box<String> box = bean;

        assertEquals(2, admitted(2, () -> bean.put("a")) + admitted(2, () -> box.put("a")));
        assertEquals(2, admitted(1, bean::peek) + admitted(3, box::peek));
      }
    }
  }

  abstract static class Base {
    public void inherited() {}

    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public void limited() {}
  }

  @Dependent
  static class Derived extends Base {}

  @Test
  void aMethodThatASuperclassLimitsIsLimited() throws Exception {
    try (Beans beans = Beans.of(Derived.class)) {
      Derived bean = beans.get(Derived.class);

      assertEquals(2, admitted(4, bean::limited));
      assertEquals(4, admitted(4, bean::inherited));
    }
  }

  static class Hidden {
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public void limited() {}
  }

  @Dependent
  public static class Overriding extends Hidden {
    @Override
    public void limited() {
      super.limited();
    }
  }

  @Test
  void anOverriddenMethodOfASuperclassThatIsntPublicIsLimited() throws Exception {
    try (Beans beans = Beans.of(Overriding.class)) {
      assertEquals(2, admitted(4, beans.get(Overriding.class)::limited));
    }
  }

  static class NoBean {
    NoBean(String made) {}

    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public void limited() {}
  }

  @Dependent
  static class OfNoBean extends NoBean {
    OfNoBean() {
      super("made");
    }
  }

  @Test
  void theSuperclassOfABeanNeedntBeOne() throws Exception {
    try (Beans beans = Beans.of(NoBean.class, OfNoBean.class)) {
      assertEquals(2, admitted(4, beans.get(OfNoBean.class)::limited));
    }
  }

  @ApplicationScoped
  @RateLimit(limit = 3, window = 3600, by = By.ENDPOINT)
  static class Whole extends Base {
    String phone = "";
    private Object mailer = "";

    public void one() {}

    @RateLimit(limit = 1, window = 3600, by = By.ENDPOINT)
    public void own() {}

    @Unlimited
    public void exempt() {}

    public void setPhone(String to) {
      phone = to;
    }

    @Inject
    public void use(Mailer mailer) {
      this.mailer = mailer;
    }

    @PostConstruct
    public void start() {}

    void hidden() {
      phone += mailer;
    }
  }

  @Test
  void theLimitOfAClassHoldsForItsPublicMethods() throws Exception {
    try (Beans beans = Beans.of(Whole.class, Mailer.class)) {
      Whole bean = beans.get(Whole.class);

      assertEquals(4, admitted(4, bean::exempt));
      assertEquals(4, admitted(4, () -> bean.setPhone("1")));
      assertEquals(4, admitted(4, bean::hidden));
      assertEquals(1, admitted(4, bean::own));
      assertEquals(2, admitted(4, bean::limited));
      assertEquals(3, admitted(2, bean::inherited) + admitted(4, bean::one));
    }
  }

  @Retention(RetentionPolicy.RUNTIME)
  @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
  @interface Twice {}

  @Singleton
  static class Composed {
    @Twice
    void packagePrivate() {}

    @Twice
    protected void inPackage() {}
  }

  @Test
  void aComposedAnnotationLimitsMethodsThatArentPublic() throws Exception {
    try (Beans beans = Beans.of(Composed.class)) {
      Composed bean = beans.get(Composed.class);

      assertEquals(2, admitted(4, bean::packagePrivate));
      assertEquals(2, admitted(4, bean::inPackage));
    }
  }

  @Decorator
  @Priority(1)
  static class Loud implements LimitedMail {
    @Inject @Delegate LimitedMail mail;

    @Override
    public String send(String to) {
      return mail.send(to) + "!";
    }
  }

  @Test
  void aDecoratedCallCountsOnce() throws Exception {
    try (Beans beans = Beans.of(PlainMailer.class, Loud.class)) {
      LimitedMail mailer = beans.get(LimitedMail.class);

      assertEquals("sent to a!", mailer.send("a"));
      assertEquals(1, admitted(3, () -> mailer.send("a")));
    }
  }

  @InterceptorBinding
  @Retention(RetentionPolicy.RUNTIME)
  @interface Repeated {}

  @Repeated
  @Interceptor
  @Priority(Interceptor.Priority.PLATFORM_BEFORE + 1)
  static class Repeating {
    @AroundInvoke
    Object repeat(InvocationContext call) throws Exception {
      call.proceed();
      return call.proceed();
    }
  }

  @Singleton
  static class Repeatable {
    private int runs;

    @Twice
    @Repeated
    public void run() {
      runs++;
    }

    int runs() {
      return runs;
    }
  }

  @Test
  void whatAnotherInterceptorRepeatsCountsOnce() throws Exception {
    try (Beans beans = Beans.of(Repeatable.class, Repeating.class)) {
      Repeatable bean = beans.get(Repeatable.class);

      assertEquals(2, admitted(4, bean::run));
      assertEquals(4, bean.runs(), "a refused call reaches no other interceptor");
    }
  }

  @ApplicationScoped
  static class Listener {
    @Twice
    public void on(@Observes String event) {}
  }

  @Test
  void anEventThatALimitedMethodObservesCounts() throws Exception {
    try (Beans beans = Beans.of(Listener.class)) {
      assertEquals(2, admitted(4, () -> beans.fire("event")));
    }
  }

  @SessionScoped
  static class OfSession implements Serializable {
    private static final long serialVersionUID = 1L;

    @Twice
    public void limited() {}
  }

  @Test
  void aBeanThatTheContainerStoresCanBeLimited() {
    Beans.of(OfSession.class).close();
  }
}
