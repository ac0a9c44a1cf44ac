// Read sections of two well-known libraries, entered and left `times` times, compiled as C as their authors mean it.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

void urcu_memb_sections(long times);
void ck_epoch_sections(long times);

#ifdef __cplusplus
}
#endif
