package io.weir.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Ticker;
import io.weir.internal.inprocess.InProcessStore;
import io.weir.store.PermitStore;
import org.junit.jupiter.api.Test;

class StoreLocatorTest {
  private static PermitStore open(String address) {
    return StoreLocator.open(address, setting -> "", Ticker.system());
  }

  @Test
  void findsTheStoreByItsScheme() {
    try (PermitStore store = open("InProcess:")) {
      assertTrue(store instanceof InProcessStore);
    }
  }

  @Test
  void needsNoColonAfterAKnownScheme() {
    try (PermitStore store = open(" inprocess ")) {
      assertTrue(store instanceof InProcessStore);
    }
  }

  @Test
  void namesTheModuleOfAScheme() {
    String message =
        assertThrows(IllegalArgumentException.class, () -> open("spring")).getMessage();
    assertTrue(message.contains("add weir-spring-boot-starter"), message);
  }

  @Test
  void refusesOtherDatabasesByName() {
    String other =
        assertThrows(IllegalArgumentException.class, () -> open("jdbc:mysql://h/d?password=secret"))
            .getMessage();
    assertTrue(other.contains("jdbc:mysql") && other.contains("use jdbc:postgresql"), other);
    assertFalse(other.contains("secret"), other);
    String missing =
        assertThrows(IllegalArgumentException.class, () -> open("jdbc:postgresql://h/d"))
            .getMessage();
    assertTrue(missing.contains("add weir-postgres"), missing);
  }

  @Test
  void namesTheKnownSchemesButNotThePassword() {
    String message =
        assertThrows(IllegalArgumentException.class, () -> open("reddis://u:secret@host"))
            .getMessage();
    assertTrue(message.contains("'reddis'") && message.contains("inprocess"), message);
    assertFalse(message.contains("secret"), message);
  }

  @Test
  void wantsAScheme() {
    String message =
        assertThrows(IllegalArgumentException.class, () -> open("localhost")).getMessage();
    assertTrue(message.contains("has no scheme"), message);
  }

  @Test
  void keepsThePasswordOfAMalformedAddressToItself() {
    IllegalArgumentException malformed =
        assertThrows(IllegalArgumentException.class, () -> open("redis://u:sec^ret@host"));
    assertTrue(malformed.getMessage().contains("at index "), malformed.getMessage());
    assertFalse(malformed.toString().contains("ret@"), malformed.toString());
    assertNull(malformed.getCause());
  }

  @Test
  void findsStoresWhateverTheThreadsClassLoader() {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
    try (PermitStore store = open("inprocess:")) {
      assertEquals(0, store.size());
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
