package io.weir.spring.method;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import org.springframework.aop.SpringProxy;

/** Beans without a class of their own, such as repositories. */
class BeanMethodTest {
  private static final Method SEND = BeanMethods.of(Mail.class, "send");

  interface Mail {
    String send(String to);
  }

  interface Repository extends Mail {}

  interface Unrelated {
    String other();
  }

  private static Class<?> type(Method called, Class<?>... interfaces) {
    Object proxy =
        Proxy.newProxyInstance(
            BeanMethodTest.class.getClassLoader(), interfaces, (any, method, arguments) -> "");
    return BeanMethod.of(proxy, called).type();
  }

  @Test
  void aProxyIsNamedByTheInterfaceOfTheApplicationThatHasTheMethod() {
    assertEquals(
        Repository.class, type(SEND, SpringProxy.class, Unrelated.class, Repository.class));
    assertEquals(Mail.class, type(SEND, Unrelated.class, Mail.class));
    assertEquals(
        Unrelated.class,
        type(BeanMethods.of(Unrelated.class, "other"), Repository.class, Unrelated.class));
  }

  @Test
  void elseByTheTypeThatDeclaresTheMethod() {
    assertEquals(Mail.class, type(SEND, Unrelated.class));
    assertEquals(Mail.class, BeanMethod.of((Object) null, SEND).type());
  }
}
