#define _LGPL_SOURCE
#include "pin_peers.h"

#include <ck_epoch.h>
#include <urcu/urcu-memb.h>

void urcu_memb_sections(long times) {
  urcu_memb_register_thread();
  for (long i = 0; i < times; ++i) {
    urcu_memb_read_lock();
    __asm__ volatile("" ::: "memory");
    urcu_memb_read_unlock();
  }
  urcu_memb_unregister_thread();
}

void ck_epoch_sections(long times) {
  static ck_epoch_t epoch;
  static ck_epoch_record_t record;
  static int registered = 0;
  if (!registered) {
    ck_epoch_init(&epoch);
    ck_epoch_register(&epoch, &record, NULL);
    registered = 1;
  }
  for (long i = 0; i < times; ++i) {
    ck_epoch_begin(&record, NULL);
    __asm__ volatile("" ::: "memory");
    ck_epoch_end(&record, NULL);
  }
}
